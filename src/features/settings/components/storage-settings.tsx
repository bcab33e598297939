import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import { downloadText } from '#lib/download.ts'
import { formatBytes } from '#lib/format.ts'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { readSettingsFile, settingsFile } from '../model/settings.ts'
import { clearStorage, storedEntries } from '../model/storage.ts'
import classes from './storage-settings.module.css'

export function StorageSettings() {
  const current = usePreferences()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const entries = storedEntries(localStorage)
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)

  const load = async (file: File | null) => {
    if (file === null) return
    try {
      preferences.replace(readSettingsFile(await file.text()))
      setError(null)
      notify('The settings of the file are in use.')
    } catch (reason) {
      setError(reason)
    }
  }

  return (
    <div className={classes.storage}>
      <p className={classes.words}>
        {entries.length} {entries.length === 1 ? 'entry' : 'entries'}, {formatBytes(sizeBytes)}:
        preferences, sizes of panes and columns, and drafts that the server does not have yet. No
        passwords.
      </p>
      <div className={classes.actions}>
        <Button
          variant="default"
          onClick={() => downloadText('quiver-settings.json', settingsFile(current))}
        >
          Export settings
        </Button>
        <FileButton accept="application/json,.json" onChange={(file) => void load(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Import settings
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={() => setAsking(true)}>
          Clear storage
        </Button>
      </div>
      {error !== null && <ErrorNotice title="The settings were not imported" error={error} />}
      <ConfirmDialog
        opened={asking}
        title="Clear this browser’s storage"
        confirmLabel="Clear storage"
        danger
        onConfirm={() => {
          clearStorage(localStorage)
          preferences.replace({})
          setAsking(false)
          notify('The storage of this browser was cleared.')
        }}
        onClose={() => setAsking(false)}
      >
        <p>
          Preferences go back to their defaults, and drafts that were never sent to the server are
          lost. The graphs on the server are not touched.
        </p>
      </ConfirmDialog>
    </div>
  )
}
