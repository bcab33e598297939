/** All types of the draft by kind, with a filter; choosing one opens it in the inspector. */
import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import type { SchemaModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { typeState } from '../model/schema-diff.ts'
import { Renamed } from './renamed.tsx'
import classes from './schema.module.css'

interface TypeTreeProps {
  readonly live: SchemaModel
  readonly schema: SchemaModel
  readonly selected: string | null
  readonly onSelect: (name: string) => void
  readonly onAddVertex: () => void
  readonly onAddEdge: () => void
}

export function TypeTree(props: TypeTreeProps) {
  const { schema } = props
  const [filter, setFilter] = useState('')
  const fits = ({ name, publishedAs = '' }: TypeModel) =>
    `${name} ${publishedAs}`.toLowerCase().includes(filter.trim().toLowerCase())
  return (
    <nav className={classes['tree']} aria-label="Types">
      <TextInput
        aria-label="Filter types"
        data-search-field
        placeholder="Filter types"
        leftSection={<Search size={13} aria-hidden="true" />}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <TypeGroup
        {...props}
        title="Vertex types"
        addLabel="Add vertex type"
        types={schema.vertices.filter(fits)}
        onAdd={props.onAddVertex}
      />
      <TypeGroup
        {...props}
        title="Edge types"
        addLabel="Add edge type"
        types={schema.edges.filter(fits)}
        onAdd={props.onAddEdge}
        cannotAdd={schema.vertices.length === 0}
      />
    </nav>
  )
}

interface TypeGroupProps extends TypeTreeProps {
  readonly title: string
  readonly addLabel: string
  readonly types: readonly TypeModel[]
  readonly onAdd: () => void
  readonly cannotAdd?: boolean
}

function TypeGroup(props: TypeGroupProps) {
  const { title, addLabel, types, onAdd, cannotAdd = false } = props
  return (
    <section aria-label={title}>
      <header className={classes['groupHeader']}>
        <h2>{title}</h2>
        <span className={classes['count']}>{types.length}</span>
        <Tooltip label={addLabel}>
          <ActionIcon aria-label={addLabel} onClick={onAdd} disabled={cannotAdd}>
            <Plus size={15} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </header>
      <ul className={classes['list']}>
        {types.map((type) => (
          <li key={type.name}>
            <TypeRow type={type} tree={props} />
          </li>
        ))}
      </ul>
      {types.length === 0 && <p className={classes['none']}>None</p>}
    </section>
  )
}

function TypeRow({ type, tree }: { readonly type: TypeModel; readonly tree: TypeTreeProps }) {
  const state = typeState(tree.live, tree.schema, type)
  return (
    <button
      type="button"
      className={classes['row']}
      aria-current={tree.selected === type.name ? 'true' : undefined}
      onClick={() => tree.onSelect(type.name)}
    >
      <span className={classes['typeLabel']}>
        <Renamed type={type} />
        <TypeTag name={type.name} kind={type.kind} />
      </span>
      {/* The arrow of a rename says it and needs the room. */}
      {state !== 'same' && type.publishedAs === undefined && (
        <StatusBadge look="plain" status={state === 'new' ? 'success' : 'warning'}>
          {state}
        </StatusBadge>
      )}
      {!type.isLocal && <span className={classes['global']}>global</span>}
    </button>
  )
}
