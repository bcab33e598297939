/** One field per parameter, after the signature; empty means the query's own default. */
import { Select, Textarea, TextInput } from '@mantine/core'
import { EMPTY_STRING, type ParameterField } from '../model/parameters.ts'
import classes from '../queries-page.module.css'

interface ParameterFormProps {
  readonly fields: readonly ParameterField[]
  readonly texts: ReadonlyMap<string, string>
  /** Declared defaults, as the query writes them. */
  readonly defaults: ReadonlyMap<string, string>
  readonly problems: ReadonlyMap<string, string>
  readonly onChange: (name: string, text: string) => void
  /** Enter in a field of one line. */
  readonly onSubmit: () => void
}

export function ParameterForm(props: ParameterFormProps) {
  const { fields, texts, defaults, problems, onChange, onSubmit } = props
  if (fields.length === 0) return null
  return (
    <form
      className={classes.parameters}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <fieldset>
        <legend>Parameters</legend>
        {fields.map((field) => (
          <ParameterInput
            key={field.name}
            field={field}
            text={texts.get(field.name) ?? ''}
            placeholder={placeholderOf(field, defaults.get(field.name))}
            problem={problems.get(field.name)}
            onChange={(text) => onChange(field.name, text)}
          />
        ))}
      </fieldset>
      {/* Enter submits a form of several fields only when it has such a button. */}
      <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
    </form>
  )
}

interface ParameterInputProps {
  readonly field: ParameterField
  readonly text: string
  readonly placeholder: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}

function ParameterInput({ field, text, placeholder, problem, onChange }: ParameterInputProps) {
  const common = {
    label: (
      <>
        {field.name} <small>{field.type}</small>
      </>
    ),
    description: hintOf(field),
    error: problem ?? null,
    placeholder,
  }
  if (field.kind === 'boolean' && !field.many) {
    return (
      <Select
        {...common}
        data={['true', 'false']}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? '')}
        clearable
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
        spellCheck={false}
      />
    )
  }
  return (
    <TextInput
      {...common}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      inputMode={field.kind === 'integer' || field.kind === 'unsigned' ? 'numeric' : 'text'}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function placeholderOf({ kind, many }: ParameterField, declared: string | undefined): string {
  if (declared !== undefined) return declared
  return kind === 'vertex' && !many ? 'required' : 'not given'
}

function hintOf({ kind, many, vertexType }: ParameterField): string | undefined {
  const lines = many ? ', one a line' : ''
  switch (kind) {
    case 'map':
      return `key: value${lines}`
    case 'vertex':
      return `${vertexType === null ? 'Type:id' : 'id'}${lines}`
    case 'datetime':
      return `YYYY-MM-DD HH:MM:SS${lines}`
    case 'string':
      return many ? 'one a line' : `${EMPTY_STRING} for the empty text`
    default:
      return many ? 'one a line' : undefined
  }
}
