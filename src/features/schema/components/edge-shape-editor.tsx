/** Direction, reverse edge and the pairs of vertex types an edge type joins. */
import { SegmentedControl, Switch } from '@mantine/core'
import type { EdgeModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { freeTypeName, typeNameProblem } from '../model/names.ts'
import type { Operation } from '../model/operations.ts'
import type { EdgeShape } from '../model/type-operations.ts'
import { CommitField } from './commit-field.tsx'
import { PairEditor } from './pair-editor.tsx'
import classes from './schema.module.css'
import { useRefusal } from './use-refusal.ts'

interface EdgeShapeEditorProps {
  readonly edge: EdgeModel
  readonly schema: SchemaModel
  readonly isPublished: boolean
  readonly apply: (operation: Operation) => string | null
}

export function EdgeShapeEditor({ edge, schema, isPublished, apply }: EdgeShapeEditorProps) {
  const { directed, pairs, reverseName } = edge
  const { run, refusal } = useRefusal(apply)
  const change = (part: Partial<EdgeShape>) =>
    run({
      kind: 'changeEdge',
      name: edge.name,
      shape: { directed, pairs, reverseName, ...part },
    })
  const note = (
    <>
      {refusal !== null && (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
      {isPublished && edge.isNew && (
        <p className={classes['price']}>
          The shape of a published edge type changed: publishing replaces {edge.name}, and all its
          edges are deleted.
        </p>
      )}
      {isPublished && !edge.isNew && (
        <p className={classes['hint']}>
          {directed ? 'More pairs and another name of the reverse edge' : 'More pairs'} cost no
          data; any other change of shape deletes the published edges.
        </p>
      )}
    </>
  )
  return (
    <section className={classes['part']} aria-label="Direction and ends">
      <header className={classes['partHeader']}>
        <h3>Direction and ends</h3>
      </header>
      <SegmentedControl
        aria-label="Direction"
        data={[
          { value: 'directed', label: 'Directed' },
          { value: 'undirected', label: 'Undirected' },
        ]}
        value={directed ? 'directed' : 'undirected'}
        onChange={(value) => change({ directed: value === 'directed' })}
      />
      {directed && (
        <Switch
          label="Reverse edge: walk it backwards under a second name"
          checked={reverseName !== null}
          onChange={(event) =>
            change({
              reverseName: event.currentTarget.checked
                ? freeTypeName(schema, `reverse_${edge.name}`)
                : null,
            })
          }
        />
      )}
      {directed && reverseName !== null && (
        <CommitField
          label="Name of the reverse edge"
          value={reverseName}
          problemOf={(name) => typeNameProblem(schema, name, reverseName)}
          onCommit={(name) => change({ reverseName: name })}
        />
      )}
      <PairEditor
        edge={edge}
        schema={schema}
        note={note}
        onChange={(next) => change({ pairs: next })}
      />
      {note}
    </section>
  )
}
