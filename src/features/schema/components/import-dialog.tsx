/** Type definitions as JSON, from a file, another server or documentation, into the draft. */
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { importSchema } from '../model/import-schema.ts'
import type { Operation } from '../model/operations.ts'
import classes from './schema.module.css'

interface ImportDialogProps {
  readonly opened: boolean
  readonly apply: (operation: Operation) => string | null
  readonly onClose: () => void
}

export function ImportDialog(props: ImportDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Paste types as JSON" size="lg">
      <ImportForm {...props} />
    </Dialog>
  )
}

function ImportForm({ apply, onClose }: ImportDialogProps) {
  const [text, setText] = useState('')
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const submit = () => {
    const imported = importSchema(text)
    if (!imported.ok) return setRefusals([imported.problem])
    const refused = imported.operations.flatMap((operation) => apply(operation) ?? [])
    setRefusals(refused)
    if (refused.length === 0) onClose()
  }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Textarea
        label="Types"
        description="VertexTypes and EdgeTypes, createVertices and createEdges, or a whole schema change."
        data-autofocus
        autosize
        minRows={10}
        maxRows={20}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {refusals.length > 0 && (
        <ul className={classes['problems']} role="alert">
          {refusals.map((refusal) => (
            <li key={refusal}>{refusal}</li>
          ))}
        </ul>
      )}
      <footer className={classes['formActions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={text.trim() === ''}>
          Add to the draft
        </Button>
      </footer>
    </form>
  )
}
