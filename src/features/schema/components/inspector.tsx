/** The form of the selected type. */
import { Button } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import {
  edgesTouching,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { EmptyState } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { typeNameProblem } from '../model/names.ts'
import type { Operation } from '../model/operations.ts'
import { publishedForm } from '../model/published.ts'
import { typeState } from '../model/schema-diff.ts'
import { AttributeEditor } from './attribute-editor.tsx'
import { CommitField } from './commit-field.tsx'
import { Descriptions } from './descriptions.tsx'
import { EdgeShapeEditor } from './edge-shape-editor.tsx'
import { PrimaryIdEditor } from './primary-id-editor.tsx'
import classes from './schema.module.css'
import { TypeSettings } from './type-settings.tsx'
import { VectorList } from './vector-list.tsx'

/** Where the keyboard should go next: the name, or the newest attribute. */
export interface FocusRequest {
  readonly field: 'name' | 'last-attribute'
  readonly typeName: string
  /** Grows, so that asking twice for the same field works. */
  readonly count: number
}

interface InspectorProps {
  readonly live: SchemaModel
  readonly schema: SchemaModel
  readonly selected: string | null
  readonly tuples: readonly string[]
  readonly focusRequest: FocusRequest | null
  readonly apply: (operation: Operation) => string | null
  readonly onSelect: (name: string) => void
  readonly onDrop: (name: string) => void
}

export function Inspector(props: InspectorProps) {
  const { live, schema, selected, apply, onSelect, onDrop, focusRequest } = props
  const form = useRef<HTMLElement>(null)
  const answered = useRef(focusRequest)
  // The type may come a moment after the request: the address changes in its own time.
  useEffect(() => {
    if (focusRequest === null || answered.current === focusRequest) return
    if (focusField(form.current, focusRequest)) answered.current = focusRequest
  })

  const type = selected === null ? undefined : findType(schema, selected)
  if (type === undefined) {
    return (
      <aside className={classes['inspector']} aria-label="Inspector">
        <EmptyState
          {...(schema.vertices.length === 0
            ? { text: 'A type you choose is seen and changed here.', hint: 'N adds a vertex type.' }
            : {
                text: 'Choose a type to see and change it.',
                hint: 'N adds a vertex type, E an edge type.',
              })}
        />
      </aside>
    )
  }
  const published = publishedForm(live, schema, type)
  const state = typeState(live, schema, type)
  const rename = (to: string) => {
    const problem = apply({ kind: 'renameType', name: type.name, to })
    if (problem === null) onSelect(to)
    return problem
  }
  return (
    <aside className={classes['inspector']} aria-label="Inspector" ref={form} data-type={type.name}>
      <header className={classes['inspectorHeader']}>
        <p className={classes['kind']}>
          {type.kind === 'vertex' ? 'Vertex type' : 'Edge type'}
          {state !== 'same' && (
            <StatusBadge status={state === 'new' ? 'success' : 'warning'}>{state}</StatusBadge>
          )}
        </p>
        <Button
          variant="subtle"
          color="red"
          leftSection={<Trash2 size={13} aria-hidden="true" />}
          onClick={() => onDrop(type.name)}
        >
          Drop type
        </Button>
      </header>
      <h2 className="visually-hidden">{type.name}</h2>
      <CommitField
        key={type.name}
        label="Name"
        focusName="name"
        value={type.name}
        disabled={!type.isNew && !type.isLocal}
        {...(published !== undefined && { description: nameHint(type, published) })}
        problemOf={(name) => typeNameProblem(schema, name, type.name)}
        onCommit={rename}
      />
      <Descriptions key={`descriptions of ${type.name}`} type={type} apply={apply} />
      {type.kind === 'vertex' ? (
        <PrimaryIdEditor key={`id of ${type.name}`} vertex={type} apply={apply} />
      ) : (
        <EdgeShapeEditor
          edge={type}
          schema={schema}
          isPublished={published !== undefined}
          apply={apply}
        />
      )}
      <AttributeEditor
        schema={schema}
        type={type}
        published={published}
        tuples={props.tuples}
        apply={apply}
      />
      {type.kind === 'vertex' && (
        <VectorList key={`vectors of ${type.name}`} vertex={type} apply={apply} />
      )}
      <TypeSettings type={type} apply={apply} />
      {type.kind === 'vertex' && <Touching schema={schema} name={type.name} onSelect={onSelect} />}
    </aside>
  )
}

function nameHint(type: TypeModel, { name }: TypeModel): string {
  if (type.isNew) return `Takes the place of the published ${name}.`
  if (!type.isLocal) return 'A global type: its name is not this graph’s to change.'
  return type.name === name
    ? 'Another name keeps the data.'
    : `Published as ${name}: publishing renames it and keeps its data.`
}

interface TouchingProps {
  readonly schema: SchemaModel
  readonly name: string
  readonly onSelect: (name: string) => void
}

function Touching({ schema, name, onSelect }: TouchingProps) {
  const edges = edgesTouching(schema, name)
  if (edges.length === 0) return null
  return (
    <section className={classes['part']} aria-label="Edge types at this vertex">
      <header className={classes['partHeader']}>
        <h3>Edge types here</h3>
      </header>
      <ul className={classes['chips']}>
        {edges.map((edge) => (
          <li key={edge.name}>
            <button type="button" className={classes['chip']} onClick={() => onSelect(edge.name)}>
              {edge.name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** True when the field was there. */
function focusField(form: HTMLElement | null, { field, typeName }: FocusRequest): boolean {
  if (form === null || form.dataset['type'] !== typeName) return false
  const selector = field === 'name' ? '[data-focus="name"]' : '[data-focus^="attribute-"]'
  const input = [...form.querySelectorAll<HTMLElement>(selector)].at(-1)
  input?.focus()
  if (input instanceof HTMLInputElement) input.select()
  return input !== undefined
}
