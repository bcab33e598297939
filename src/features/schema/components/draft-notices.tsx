/** What a draft lost when it was carried over to a newer schema. */
import { Button } from '@mantine/core'
import { operationLabel } from '../model/operations.ts'
import classes from './schema.module.css'
import type { SchemaEditor } from './use-schema-editor.ts'

export function DraftNotices({ editor }: { readonly editor: SchemaEditor }) {
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
