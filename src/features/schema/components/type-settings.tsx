/** What is decided once for a whole type: who shares it, and what is counted beside it. */
import { Switch } from '@mantine/core'
import type { TypeModel } from '#lib/graph-schema/schema-model.ts'
import classes from './schema.module.css'
import { type Apply, useRefusal } from './use-refusal.ts'

interface TypeSettingsProps {
  readonly type: TypeModel
  readonly apply: Apply
}

export function TypeSettings({ type, apply }: TypeSettingsProps) {
  const { run, refusal } = useRefusal(apply)
  const { name, isNew, isLocal } = type
  return (
    <section className={classes['part']} aria-label="Sharing and counting">
      <header className={classes['partHeader']}>
        <h3>Sharing and counting</h3>
      </header>
      {isNew ? (
        <Switch
          label="Global: other graphs may share this type and its data"
          checked={!isLocal}
          onChange={(event) =>
            run({ kind: 'setScope', name, isLocal: !event.currentTarget.checked })
          }
        />
      ) : (
        <p className={classes['fact']}>
          {isLocal
            ? 'Local: belongs to this graph alone.'
            : 'Global: other graphs may share this type and its data.'}
        </p>
      )}
      {type.kind === 'vertex' && isNew && (
        <Switch
          label="Count the edges of every vertex by type"
          checked={type.stats !== 'NONE'}
          onChange={(event) =>
            run({
              kind: 'setStats',
              name,
              stats: event.currentTarget.checked ? 'OUTDEGREE_BY_EDGETYPE' : 'NONE',
            })
          }
        />
      )}
      {type.kind === 'vertex' && !isNew && (
        <p className={classes['fact']}>
          {type.stats === 'NONE'
            ? 'Edges are not counted per vertex.'
            : 'Edges are counted per vertex and type.'}
        </p>
      )}
      {refusal !== null && (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
    </section>
  )
}
