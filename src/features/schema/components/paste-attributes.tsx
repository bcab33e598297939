/** Rows of `name TYPE` from anywhere, read as they are typed; wrong rows say why. */
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { AttributeModel } from '#lib/graph-schema/schema-model.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { parsePastedAttributes } from '../model/paste-attributes.ts'
import classes from './schema.module.css'

interface PasteAttributesProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly tuples: readonly string[]
  /** Null when taken; otherwise why not. */
  readonly onPaste: (attributes: readonly AttributeModel[]) => string | null
}

export function PasteAttributes(props: PasteAttributesProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="Paste attributes" size="lg">
      <PasteBody {...props} />
    </Dialog>
  )
}

function PasteBody({ onClose, tuples, onPaste }: PasteAttributesProps) {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const rows = parsePastedAttributes(text, tuples)
  const attributes = rows.flatMap(({ result }) => (result.ok ? [result.attribute] : []))
  const wrong = rows.length - attributes.length
  const submit = () => {
    const problem = onPaste(attributes)
    if (problem === null) onClose()
    else setRefusal(problem)
  }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (attributes.length > 0 && wrong === 0) submit()
      }}
    >
      <Textarea
        label="One attribute per row"
        description="name TYPE, with an optional default: age INT = 18"
        data-autofocus
        autosize
        minRows={6}
        maxRows={16}
        value={text}
        error={refusal}
        spellCheck={false}
        onChange={(event) => {
          setRefusal(null)
          setText(event.currentTarget.value)
        }}
      />
      <ul className={classes['problems']} aria-label="Rows that cannot be read">
        {rows.map(({ line, text: row, result }) =>
          result.ok ? null : (
            <li key={`${line}:${row}`}>
              Line {line}, <code>{row}</code>: {result.problem}
            </li>
          ),
        )}
      </ul>
      <footer className={classes['formActions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={attributes.length === 0 || wrong > 0}>
          {attributes.length === 1 ? 'Add 1 attribute' : `Add ${attributes.length} attributes`}
        </Button>
      </footer>
    </form>
  )
}
