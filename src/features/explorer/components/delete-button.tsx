/** Deletes from the database what is selected; asks first. Taking things off the canvas is another button. */
import { Button } from '@mantine/core'
import { Trash2 } from 'lucide-react'

export function DeleteButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      variant="default"
      color="red"
      leftSection={<Trash2 size={13} aria-hidden="true" />}
      title="Deletes it from the database (Shift+Del on the canvas)"
      onClick={onClick}
    >
      Delete from the graph…
    </Button>
  )
}
