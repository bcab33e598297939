/** Asks before selected data is deleted from the graph, with the number of edges that go with it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { counted, formatCount } from '#lib/format.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { readDeletion } from '../api/deletions.ts'
import type { Deletion } from '../model/deletion.ts'
import type { Elements } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'

interface DeleteDialogProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly chosen: Elements
  readonly onClose: () => void
}

export function DeleteDialog({ graph, explorer, chosen, onClose }: DeleteDialogProps) {
  const client = useQueryClient()
  const keys = [...chosen.vertices, ...chosen.edges].map(({ key }) => key)
  const plan = useQuery({
    queryKey: ['deletion', graph, keys],
    queryFn: () => readDeletion(client, graph, chosen),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const deleting = useMutation({
    mutationFn: explorer.deleteData,
    onSuccess: (_, deletion) => {
      notify(`Deleted ${wordsOf(deletion)}`, {
        ...(deletion.lasting === null && { action: { label: 'Undo', run: explorer.undo } }),
      })
      onClose()
    },
    // What is gone already is not asked for again.
    onError: () => void plan.refetch(),
  })
  const what = wordsOf(plan.data ?? { ...chosen })
  const isLasting = plan.data !== undefined && plan.data.lasting !== null
  return (
    <ConfirmDialog
      opened
      danger
      title={`Delete from ${graph}?`}
      confirmLabel={`Delete ${what}`}
      busy={plan.isPending || deleting.isPending}
      error={plan.error ?? deleting.error}
      {...(isLasting && { typedName: graph })}
      onConfirm={() => {
        if (plan.data !== undefined && !plan.isError) deleting.mutate(plan.data)
      }}
      onClose={onClose}
    >
      {plan.isPending ? (
        <Loading what="what goes with it" rows={2} />
      ) : (
        plan.data !== undefined && <Consequences deletion={plan.data} />
      )}
    </ConfirmDialog>
  )
}

function Consequences({ deletion }: { readonly deletion: Deletion }) {
  const { vertices, edges, hangingCount, lasting } = deletion
  if (vertices.length + edges.length === 0) return <p>The database has none of it any more.</p>
  return (
    <>
      <p>{wordsOf(deletion)} will be gone from the database, not from the canvas alone.</p>
      {hangingCount > 0 && (
        <p>
          {lasting === null || vertices.length === 1 ? '' : 'Up to '}
          {counted(hangingCount, 'edge', 'edges')} of {vertices.length === 1 ? 'it' : 'them'}{' '}
          {hangingCount === 1 ? 'goes' : 'go'} as well.
        </p>
      )}
      <p>
        {lasting === null
          ? 'Undo writes all of it back.'
          : `This cannot be undone, nor the steps before it: ${lasting}.`}
      </p>
    </>
  )
}

/** `2 vertices and 1 edge`. */
function wordsOf({ vertices, edges }: Elements): string {
  const parts = [
    ...(vertices.length > 0 ? [counted(vertices.length, 'vertex', 'vertices')] : []),
    ...(edges.length > 0 ? [counted(edges.length, 'edge', 'edges')] : []),
  ]
  return parts.length === 0 ? formatCount(0) : parts.join(' and ')
}
