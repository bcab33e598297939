/** One vertex or edge, typed field by field. */
import { Button, Select, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import {
  type AttributeModel,
  type EdgePairModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { useUpsert } from '../api/upsert.ts'
import {
  type ElementForm,
  type FieldValue,
  formPayload,
  operations,
} from '../model/form-payload.ts'
import { type IdMember, idMembersOf, isKeyMember } from '../model/id-parts.ts'
import { defaultOptions } from '../model/upsert-options.ts'
import classes from './data.module.css'
import { OptionsPanel } from './options-panel.tsx'
import { WriteResult } from './outcome.tsx'

interface FormTabProps {
  readonly graph: string
  readonly schema: SchemaModel
}

export function FormTab({ graph, schema }: FormTabProps) {
  const [typeName, setTypeName] = useState(schema.vertices[0]?.name ?? '')
  const type = findType(schema, typeName)
  return (
    <div className={classes['main']}>
      <Select
        className={classes['typeSelect'] ?? ''}
        label="Type"
        searchable
        data={[
          { group: 'Vertex types', items: schema.vertices.map(({ name }) => name) },
          { group: 'Edge types', items: schema.edges.map(({ name }) => name) },
        ]}
        value={typeName}
        onChange={(name) => name !== null && setTypeName(name)}
      />
      {type !== undefined && (
        <ElementEditor key={type.name} graph={graph} schema={schema} type={type} />
      )}
    </div>
  )
}

interface ElementEditorProps extends FormTabProps {
  readonly type: TypeModel
}

function ElementEditor({ graph, schema, type }: ElementEditorProps) {
  const [pair, setPair] = useState(type.kind === 'edge' ? (type.pairs[0] ?? null) : null)
  const [ends, setEnds] = useState<Ends>({ source: [], target: [] })
  const [fields, setFields] = useState<ReadonlyMap<string, FieldValue>>(new Map())
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [options, setOptions] = useState(defaultOptions)
  const send = useUpsert(graph)
  const place = useRef<HTMLFormElement>(null)
  // On a phone the button stands a screen below the first of them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are other problems.
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  const members = membersOf(schema, type, pair)
  const form: ElementForm = { type, pair, members, fields, ...ends }
  const submit = () => {
    const built = formPayload(form)
    setProblems(built.ok ? new Map() : built.problems)
    if (built.ok) send.mutate({ payload: built.payload, options })
  }
  return (
    <form
      ref={place}
      className={classes['formColumns']}
      aria-label={`One ${type.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={classes['main']}>
        {type.kind === 'edge' && pair !== null && type.pairs.length > 1 && (
          <Select
            label="Between"
            data={type.pairs.map(pairText)}
            value={pairText(pair)}
            onChange={(text) => setPair(type.pairs.find((one) => pairText(one) === text) ?? pair)}
          />
        )}
        <IdFields
          label={pair === null ? 'Id' : `From (${pair.from} id)`}
          members={members.source}
          texts={ends.source}
          problem={problems.get('@source')}
          onChange={(source) => setEnds({ ...ends, source })}
        />
        {pair !== null && (
          <IdFields
            label={`To (${pair.to} id)`}
            members={members.target}
            texts={ends.target}
            problem={problems.get('@target')}
            onChange={(target) => setEnds({ ...ends, target })}
          />
        )}
        {ownAttributes(type).map(({ name, type: kind }) => (
          <AttributeField
            key={name}
            name={name}
            kind={kind}
            value={fields.get(name) ?? { text: '', op: '' }}
            problem={problems.get(name)}
            onChange={(value) => setFields(new Map(fields).set(name, value))}
          />
        ))}
        <p className={classes['hint']}>Fields left empty keep their value, or get the default.</p>
      </div>
      <div className={classes['side']}>
        <OptionsPanel options={options} onChange={setOptions} />
        <Refusable refusal={useRefusal(upsertData, graph)}>
          <Button type="submit" loading={send.isPending}>
            Write {type.name}
          </Button>
        </Refusable>
        <WriteResult graph={graph} send={send} />
      </div>
    </form>
  )
}

interface Ends {
  readonly source: readonly string[]
  readonly target: readonly string[]
}

interface IdFieldsProps {
  readonly label: string
  readonly members: readonly IdMember[]
  readonly texts: readonly string[]
  readonly problem: string | undefined
  readonly onChange: (texts: readonly string[]) => void
}

/** One field for an id, or one for each member of a composite key. */
function IdFields({ label, members, texts, problem, onChange }: IdFieldsProps) {
  return members.map(({ name, type }, place) => (
    <TextInput
      key={name}
      label={name === '' ? label : `${label}: ${name} (${type})`}
      required
      value={texts[place] ?? ''}
      error={place === 0 ? problem : problem !== undefined}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChange(members.map((_, at) => (at === place ? value : (texts[at] ?? ''))))
      }}
    />
  ))
}

interface AttributeFieldProps {
  readonly name: string
  readonly kind: string
  readonly value: FieldValue
  readonly problem: string | undefined
  readonly onChange: (value: FieldValue) => void
}

function AttributeField({ name, kind, value, problem, onChange }: AttributeFieldProps) {
  return (
    <TextInput
      label={`${name} (${kind})`}
      value={value.text}
      error={problem}
      placeholder={placeholderOf(kind)}
      onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
      inputContainer={(input) => (
        <div className={classes['field']}>
          {input}
          <Select
            aria-label={`Operation on ${name}`}
            data={[...operations]}
            value={value.op}
            onChange={(op) => onChange({ ...value, op: op ?? '' })}
          />
        </div>
      )}
    />
  )
}

function placeholderOf(kind: string): string {
  if (kind === 'DATETIME') return '2024-01-31 09:30:00'
  if (kind === 'BOOL') return 'true or false'
  if (kind.startsWith('MAP')) return 'key:value|key:value'
  return /^(LIST|SET)/.test(kind) ? 'a|b|c' : ''
}

function pairText({ from, to }: EdgePairModel): string {
  return `${from} → ${to}`
}

function membersOf(schema: SchemaModel, type: TypeModel, pair: EdgePairModel | null) {
  return {
    source: idMembersOf(schema, pair === null ? type.name : pair.from),
    target: pair === null ? [] : idMembersOf(schema, pair.to),
  }
}

/** Members of a composite key are written as the id. */
function ownAttributes(type: TypeModel): readonly AttributeModel[] {
  return type.attributes.filter(({ name }) => !isKeyMember(type, name))
}
