/** What to do with a graph that has no types. */
import { Button } from '@mantine/core'
import { Shapes } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { EmptyState } from '#ui/states.tsx'
import type { SchemaDialog } from './schema-menu.tsx'

interface EmptySchemaProps {
  readonly onAddVertex: () => void
  readonly onDialog: (dialog: SchemaDialog) => void
}

export function EmptySchema({ onAddVertex, onDialog }: EmptySchemaProps) {
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
          <Button component={Link} to={paths.home()} variant="subtle">
            Or the sample graph
          </Button>
        </>
      }
    />
  )
}
