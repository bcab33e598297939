/** What stands against a draft: another window's, and what a newer schema has no place for. */
import { Button } from '@mantine/core'
import { operationLabel } from '../model/operations.ts'
import classes from './schema.module.css'
import type { SchemaEditor } from './use-schema-editor.ts'

interface DraftNoticesProps {
  readonly editor: SchemaEditor
  readonly onReload: () => void
}

export function DraftNotices({ editor, onReload }: DraftNoticesProps) {
  return (
    <>
      {editor.keeping === 'conflict' && (
        <div className={classes['conflicts']} role="alert">
          <p>Another window changed the draft of this schema meanwhile.</p>
          <div className={classes['formActions']}>
            <Button variant="default" onClick={editor.overwrite}>
              Keep this one
            </Button>
            <Button variant="default" onClick={onReload}>
              Take the other one
            </Button>
          </div>
        </div>
      )}
      <LostOperations editor={editor} />
    </>
  )
}

function LostOperations({ editor }: { readonly editor: SchemaEditor }) {
  const { conflicts, dismissConflicts } = editor
  if (conflicts.length === 0) return null
  return (
    <div className={classes['conflicts']} role="alert">
      <p>
        The published schema changed. {conflicts.length} of the draft’s operations no longer apply:
      </p>
      <ul>
        {conflicts.map(({ operation, problem }) => (
          <li key={operationLabel(operation)}>
            <strong>{operationLabel(operation)}</strong>: {problem}
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={dismissConflicts}>
        Continue without them
      </Button>
    </div>
  )
}
