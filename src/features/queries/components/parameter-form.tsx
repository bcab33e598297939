/** One field per parameter, after the signature; empty means the query's own default. */
import { Select, Textarea, TextInput } from '@mantine/core'
import type { ParameterField } from '../model/parameters.ts'
import classes from '../queries-page.module.css'

interface ParameterFormProps {
  readonly fields: readonly ParameterField[]
  readonly texts: ReadonlyMap<string, string>
  readonly problems: ReadonlyMap<string, string>
  readonly onChange: (name: string, text: string) => void
}

export function ParameterForm({ fields, texts, problems, onChange }: ParameterFormProps) {
  if (fields.length === 0) return null
  return (
    <fieldset className={classes.parameters}>
      <legend>Parameters</legend>
      {fields.map((field) => (
        <ParameterInput
          key={field.name}
          field={field}
          text={texts.get(field.name) ?? ''}
          problem={problems.get(field.name)}
          onChange={(text) => onChange(field.name, text)}
        />
      ))}
    </fieldset>
  )
}

interface ParameterInputProps {
  readonly field: ParameterField
  readonly text: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}

function ParameterInput({ field, text, problem, onChange }: ParameterInputProps) {
  const common = { label: field.name, description: hintOf(field), error: problem ?? null }
  if (field.kind === 'boolean' && !field.many) {
    return (
      <Select
        {...common}
        data={['true', 'false']}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? '')}
        clearable
        placeholder="default"
        comboboxProps={{ withinPortal: true }}
      />
    )
  }
  if (field.many) {
    return (
      <Textarea
        {...common}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        minRows={1}
        maxRows={5}
        placeholder="one a line"
      />
    )
  }
  return (
    <TextInput
      {...common}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={field.kind === 'integer' ? 'numeric' : 'text'}
      placeholder="default"
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function hintOf({ type, kind, vertexType }: ParameterField): string {
  return kind === 'vertex' && vertexType === null ? `${type}, as Type:id` : type
}
