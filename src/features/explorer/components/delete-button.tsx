/** Deletes from the database what is selected; asks first. Taking things off the canvas is another button. */
import { Button } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useRefusal } from '#api/rights.ts'
import { deleteVertex } from '#contract/inspect.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'

interface DeleteButtonProps {
  readonly graph: string
  readonly onClick: () => void
}

export function DeleteButton({ graph, onClick }: DeleteButtonProps) {
  return (
    <Refusable refusal={useRefusal(deleteVertex, graph)}>
      <Button
        variant="default"
        color="red"
        leftSection={<Trash2 size={13} aria-hidden="true" />}
        title="Deletes it from the database (Shift+Del on the canvas)"
        onClick={onClick}
      >
        Delete from the graph…
      </Button>
    </Refusable>
  )
}
