/** Direction, reverse edge and the pairs of vertex types an edge type joins. */
import { Checkbox, SegmentedControl, Switch } from '@mantine/core'
import type { EdgeModel, EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { freeTypeName, typeNameProblem } from '../model/names.ts'
import type { EdgeShape, Operation } from '../model/operations.ts'
import { CommitField } from './commit-field.tsx'
import classes from './schema.module.css'

interface EdgeShapeEditorProps {
  readonly edge: EdgeModel
  readonly schema: SchemaModel
  readonly isPublished: boolean
  readonly apply: (operation: Operation) => string | null
}

export function EdgeShapeEditor({ edge, schema, isPublished, apply }: EdgeShapeEditorProps) {
  const { directed, pairs, reverseName } = edge
  const change = (part: Partial<EdgeShape>) =>
    apply({
      kind: 'changeEdge',
      name: edge.name,
      shape: { directed, pairs, reverseName, ...part },
    })
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
      <PairMatrix edge={edge} schema={schema} onChange={(next) => change({ pairs: next })} />
      {isPublished && edge.isNew && (
        <p className={classes['price']}>
          The shape of a published edge type changed: publishing replaces {edge.name}, and all its
          edges are deleted.
        </p>
      )}
      {isPublished && !edge.isNew && (
        <p className={classes['hint']}>
          More pairs cost nothing; any other change of shape deletes the published edges.
        </p>
      )}
    </section>
  )
}

interface PairMatrixProps {
  readonly edge: EdgeModel
  readonly schema: SchemaModel
  readonly onChange: (pairs: readonly EdgePairModel[]) => string | null
}

/** Rows are sources, columns are targets; a tick lets edges run from one to the other. */
function PairMatrix({ edge, schema, onChange }: PairMatrixProps) {
  const names = schema.vertices.map(({ name }) => name)
  const has = (from: string, to: string) =>
    edge.pairs.some((pair) => pair.from === from && pair.to === to)
  const toggle = (from: string, to: string) =>
    onChange(
      has(from, to)
        ? edge.pairs.filter((pair) => pair.from !== from || pair.to !== to)
        : [...edge.pairs, { from, to }],
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide matrix scrolls by keyboard.
    <section className={classes['matrix']} aria-label="Pairs of vertex types" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">from ↓ to →</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((from) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              {names.map((to) => (
                <td key={to}>
                  <Checkbox
                    aria-label={`${from} to ${to}`}
                    checked={has(from, to)}
                    disabled={edge.pairs.length === 1 && has(from, to)}
                    onChange={() => toggle(from, to)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
