/** What is said of a type and of each of its parts, to be read and written. */
import { Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { TypeModel } from '#lib/graph-schema/schema-model.ts'
import { DESCRIPTION_CHARS_MAX, describedParts } from '../model/descriptions.ts'
import classes from './schema.module.css'
import type { Apply } from './use-refusal.ts'

/** A text that is being written is in the draft this soon. */
const PAUSE_MS = 500

interface DescriptionsProps {
  readonly type: TypeModel
  readonly apply: Apply
}

export function Descriptions({ type, apply }: DescriptionsProps) {
  const [whole, ...parts] = describedParts(type)
  // Fields out of sight would be made for nothing, and cannot know their height.
  const [isOpen, setIsOpen] = useState(false)
  const said = parts.filter(({ text }) => text !== '').length
  return (
    <section className={classes['part']} aria-label="Descriptions">
      <DescriptionField
        label="Description"
        text={whole?.text ?? ''}
        onChange={(text) => apply({ kind: 'describe', name: type.name, part: null, text })}
      />
      {parts.length > 0 && (
        <details
          className={classes['descriptions']}
          onToggle={(event) => setIsOpen(event.currentTarget.open)}
        >
          <summary>
            Descriptions of attributes: {said} of {parts.length}
          </summary>
          {isOpen &&
            parts.map(({ part, text }) => (
              <DescriptionField
                key={part}
                label={part ?? ''}
                name={`Description of ${part}`}
                text={text}
                onChange={(next) => apply({ kind: 'describe', name: type.name, part, text: next })}
              />
            ))}
        </details>
      )}
    </section>
  )
}

interface DescriptionFieldProps {
  readonly label: string
  /** Longer than the label where that is a name alone. */
  readonly name?: string
  readonly text: string
  readonly onChange: (text: string) => void
}

function DescriptionField({ label, name = label, text, onChange }: DescriptionFieldProps) {
  const [written, setWritten] = useState<string | null>(null)
  const commit = () => {
    if (written !== null && written !== text) onChange(written)
  }
  // The field may go while it is written in: then what it holds counts.
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => () => latest.current(), [])
  useEffect(() => {
    if (written === null) return
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [written])
  return (
    <Textarea
      label={label}
      aria-label={name}
      autosize
      minRows={1}
      maxRows={8}
      maxLength={DESCRIPTION_CHARS_MAX}
      value={written ?? text}
      onChange={(event) => setWritten(event.currentTarget.value)}
      onBlur={() => {
        commit()
        setWritten(null)
      }}
    />
  )
}
