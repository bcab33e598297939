import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'

interface ReplaceDraftDialogProps {
  readonly name: string
  readonly onReplace: () => void
  readonly onKeep: () => void
}

/** A link brings a text while another one is being written here. */
export function ReplaceDraftDialog({ name, onReplace, onKeep }: ReplaceDraftDialogProps) {
  return (
    <ConfirmDialog
      opened
      title={`Replace your draft of ${name === '' ? 'a new query' : name}?`}
      confirmLabel="Replace my draft"
      danger
      onConfirm={onReplace}
      onClose={onKeep}
    >
      <p>The link holds another text than the one you have not installed yet.</p>
    </ConfirmDialog>
  )
}
