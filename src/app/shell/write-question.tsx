/** The guard asks before a request changes something. */
import { useSyncExternalStore } from 'react'
import { writeQuestions } from '#api/write-guard.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'

export function WriteQuestion() {
  const question = useSyncExternalStore(writeQuestions.subscribe, writeQuestions.current)
  const { environment } = usePreferences()
  if (question === null) return null
  const { request, answer } = question
  return (
    <ConfirmDialog
      opened
      title={environment === '' ? 'Change something?' : `Change something in ${environment}?`}
      confirmLabel="Go ahead"
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <p>
        <code>
          {request.method} {request.url}
        </code>
      </p>
      <p>The write guard is on “ask”. What follows within a minute is not asked about again.</p>
    </ConfirmDialog>
  )
}
