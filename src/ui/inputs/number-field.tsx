/**
 * A whole number between two ends. What is typed counts as soon as it is one; anything else goes
 * back to the value when the field is left. Arrow keys step.
 *
 * ```tsx
 * <NumberField label="Threads" value={threads} min={1} max={256} onChange={setThreads} />
 * ```
 */
import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { formatField } from '#lib/format.ts'
import classes from './number-field.module.css'
import { readWhole, stepped, type WholeRange } from './whole-number.ts'

interface NumberFieldProps extends WholeRange {
  readonly label?: string
  readonly 'aria-labelledby'?: string
  readonly placeholder?: string
  /** Written behind the number. */
  readonly unit?: string
  readonly value: number | undefined
  /** Undefined when the field was emptied; only where `optional` is set. */
  readonly onChange: (value: number | undefined) => void
  readonly optional?: boolean
  readonly disabled?: boolean
  readonly className?: string | undefined
}

export function NumberField(props: NumberFieldProps) {
  const { value, onChange, min, max, unit, optional = false, className, ...rest } = props
  const [draft, setDraft] = useState<string | null>(null)
  const shown = draft ?? (value === undefined ? '' : formatField(value))
  const invalid = shown === '' ? !optional : readWhole(shown, { min, max }) === undefined

  const type = (text: string) => {
    setDraft(text)
    const number = readWhole(text, { min, max })
    if (number !== undefined || (optional && text.trim() === '')) onChange(number)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepsOf[event.key]
    if (step === undefined) return
    event.preventDefault()
    setDraft(null)
    onChange(stepped(value, step, { min, max }))
  }
  return (
    <TextInput
      {...rest}
      className={className ?? ''}
      classNames={{ input: classes.input ?? '' }}
      inputMode="numeric"
      autoComplete="off"
      value={shown}
      aria-invalid={invalid || undefined}
      error={invalid ? `${formatField(min)} to ${formatField(max)}` : undefined}
      rightSection={unit === undefined ? undefined : <span className={classes.unit}>{unit}</span>}
      rightSectionWidth={unit === undefined ? undefined : `${unit.length + 3}ch`}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => setDraft(null)}
    />
  )
}

const stepsOf: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowDown: -1,
  PageUp: 10,
  PageDown: -10,
}
