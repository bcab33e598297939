/** How vertices of a type are told apart: fixed once the type is published. */
import { Select, Switch } from '@mantine/core'
import { idTypes, type VertexModel } from '#lib/graph-schema/schema-model.ts'
import { identifierProblem } from '../model/names.ts'
import type { Operation } from '../model/operations.ts'
import { CommitField } from './commit-field.tsx'
import classes from './schema.module.css'

interface PrimaryIdEditorProps {
  readonly vertex: VertexModel
  readonly apply: (operation: Operation) => string | null
}

export function PrimaryIdEditor({ vertex, apply }: PrimaryIdEditorProps) {
  const { primaryId, isNew, name } = vertex
  const change = (part: Partial<VertexModel['primaryId']>) =>
    apply({ kind: 'changeId', name, primaryId: { ...primaryId, ...part } })
  if (!isNew || primaryId.syntax === 'COMPOSITE') {
    return (
      <section className={classes['part']} aria-label="Primary id">
        <header className={classes['partHeader']}>
          <h3>Primary id</h3>
        </header>
        <p className={classes['fact']}>
          <code>
            {primaryId.names.join(', ')} {primaryId.type}
          </code>
          <span>{primaryId.asAttribute ? 'readable as an attribute' : 'not an attribute'}</span>
        </p>
      </section>
    )
  }
  return (
    <section className={classes['part']} aria-label="Primary id">
      <header className={classes['partHeader']}>
        <h3>Primary id</h3>
      </header>
      <div className={classes['pair']}>
        <CommitField
          label="Id name"
          value={primaryId.names[0] ?? 'id'}
          problemOf={identifierProblem}
          onCommit={(idName) => change({ names: [idName] })}
        />
        <Select
          label="Id type"
          data={[...idTypes]}
          value={primaryId.type}
          onChange={(type) => {
            const chosen = idTypes.find((one) => one === type)
            if (chosen !== undefined) change({ type: chosen })
          }}
        />
      </div>
      <Switch
        label="Queries and reads see the id as an attribute"
        checked={primaryId.asAttribute}
        disabled={primaryId.syntax === 'PRIMARY_KEY'}
        onChange={(event) => change({ asAttribute: event.currentTarget.checked })}
      />
    </section>
  )
}
