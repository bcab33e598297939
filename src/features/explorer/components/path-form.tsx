/** Which paths between the selected vertices: all shortest ones, or the cheapest of those a little longer. */
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Route } from 'lucide-react'
import { useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { SceneVertex } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './inspector.module.css'

const COUNTS = [1, 3, 5, 10] as const
const EXTRAS = [0, 1, 2, 3] as const
const SHORTEST = 'shortest'
const EDGES = 'edges'
const NUMERIC = new Set(['INT', 'UINT', 'FLOAT', 'DOUBLE'])

interface PathFormProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly chosen: readonly SceneVertex[]
}

export function PathForm({ graph, explorer, chosen }: PathFormProps) {
  const schema = useQuery(graphSchemaQuery(graph))
  const [by, setBy] = useState(SHORTEST)
  const [count, setCount] = useState<number>(3)
  const [extra, setExtra] = useState<number>(1)
  const attributes = schema.data === undefined ? [] : numericNames(schema.data)
  const attribute = by.startsWith('by ') ? by.slice('by '.length) : null
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void explorer.connect(chosen, by === SHORTEST ? null : { attribute, extra, count })
      }}
    >
      <NativeSelect
        aria-label="Which paths"
        value={by}
        onChange={(event) => setBy(event.currentTarget.value)}
        data={[
          { value: SHORTEST, label: 'All shortest paths' },
          { value: EDGES, label: 'Fewest edges first' },
          ...attributes.map((name) => ({ value: `by ${name}`, label: `Least ${name} first` })),
        ]}
      />
      {by !== SHORTEST && (
        <div className={classes.rules}>
          <NativeSelect
            aria-label="How many paths"
            value={String(count)}
            onChange={(event) => setCount(Number(event.currentTarget.value))}
            data={COUNTS.map((one) => ({
              value: String(one),
              label: one === 1 ? 'the first' : `the first ${one}`,
            }))}
          />
          <NativeSelect
            aria-label="How long paths may be"
            value={String(extra)}
            onChange={(event) => setExtra(Number(event.currentTarget.value))}
            data={EXTRAS.map((one) => ({
              value: String(one),
              label: one === 0 ? 'as short as can be' : `up to ${one} longer`,
            }))}
          />
        </div>
      )}
      <Button
        type="submit"
        leftSection={<Route size={13} aria-hidden="true" />}
        disabled={explorer.busy}
      >
        {by === SHORTEST ? 'Shortest paths between them' : 'Paths between them'}
      </Button>
    </form>
  )
}

/** What edges of some type have a number for; the first attributes of many types are alike. */
const numericNames = ({ edges }: SchemaModel): readonly string[] => [
  ...new Set(
    edges.flatMap(({ attributes }) =>
      attributes.filter(({ type }) => NUMERIC.has(type)).map(({ name }) => name),
    ),
  ),
]
