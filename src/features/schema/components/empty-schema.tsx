/** What to do with a graph that has no types. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { Link } from 'react-router'
import { graphsQuery } from '#api/graphs.ts'
import { SAMPLE_GRAPH } from '#contract/sample.ts'
import { paths } from '#lib/paths.ts'
import { EmptyState } from '#ui/feedback/states.tsx'
import type { SchemaDialog } from './schema-menu.tsx'

interface EmptySchemaProps {
  readonly onAddVertex: () => void
  readonly onDialog: (dialog: SchemaDialog) => void
}

export function EmptySchema({ onAddVertex, onDialog }: EmptySchemaProps) {
  const isThere = useQuery(graphsQuery).data?.some(({ name }) => name === SAMPLE_GRAPH)
  // Where it is loaded while it is not there.
  const sample = isThere === true ? paths.schema(SAMPLE_GRAPH) : paths.home()
  return (
    <EmptyState
      icon={<Shapes size={28} />}
      text="A schema says which vertices and edges the graph may hold."
      hint="Press N to add a vertex type. Nothing is published before you have reviewed it."
      actions={
        <>
          <Button onClick={onAddVertex}>Add vertex type</Button>
          <Button variant="default" onClick={() => onDialog('import')}>
            Paste JSON
          </Button>
          <Button variant="default" onClick={() => onDialog('global')}>
            Add global types
          </Button>
          <Button component={Link} to={paths.start({ from: 'csv' })} variant="default">
            Start from CSV
          </Button>
          <Button component={Link} to={sample} variant="subtle">
            Or the sample graph
          </Button>
        </>
      }
    />
  )
}
