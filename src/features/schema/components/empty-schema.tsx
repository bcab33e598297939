/** What to do with a graph that has no types. */
import { Button } from '@mantine/core'
import { Shapes } from 'lucide-react'
import { EmptyState } from '#ui/states.tsx'

interface EmptySchemaProps {
  readonly onAddVertex: () => void
  readonly onImport: () => void
}

export function EmptySchema({ onAddVertex, onImport }: EmptySchemaProps) {
  return (
    <EmptyState
      icon={<Shapes size={28} />}
      text="A schema says which vertices and edges the graph may hold."
      hint="Press N to add a vertex type. Nothing is published before you have reviewed it."
      actions={
        <>
          <Button onClick={onAddVertex}>Add vertex type</Button>
          <Button variant="default" onClick={onImport}>
            Paste JSON
          </Button>
        </>
      }
    />
  )
}
