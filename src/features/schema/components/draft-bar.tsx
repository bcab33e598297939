/** What the draft amounts to, and the way on: at the bottom of the page, always in sight. */
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { Check, History, Redo2, Undo2 } from 'lucide-react'
import { useRefusal } from '#api/rights.ts'
import { changeSchema } from '#contract/schema.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { operationLabel } from '../model/operations.ts'
import { changesOfClass, changesSentence } from '../model/schema-diff.ts'
import classes from './schema.module.css'
import type { SchemaEditor } from './use-schema-editor.ts'

interface DraftBarProps {
  readonly graph: string
  readonly editor: SchemaEditor
  readonly onReview: () => void
}

export function DraftBar({ graph, editor, onReview }: DraftBarProps) {
  const { draft, changes, hasDrifted, keeping } = editor
  const refusal = useRefusal(changeSchema, graph)
  const destroys = changesOfClass(changes, 'destroys').length > 0
  return (
    <section className={classes['bar']} aria-label="Draft">
      <Tooltip label={undoLabel('Undo', draft.done.at(-1))}>
        <ActionIcon aria-label="Undo" disabled={draft.done.length === 0} onClick={editor.undo}>
          <Undo2 size={15} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={undoLabel('Redo', draft.undone.at(-1))}>
        <ActionIcon aria-label="Redo" disabled={draft.undone.length === 0} onClick={editor.redo}>
          <Redo2 size={15} aria-hidden="true" />
        </ActionIcon>
      </Tooltip>
      <HistoryMenu editor={editor} />
      <span className={classes['barText']} role="status">
        {changes.length === 0 ? (
          'No unpublished changes.'
        ) : (
          <StatusBadge status={destroys ? 'danger' : 'info'}>
            {changesSentence(changes)}
          </StatusBadge>
        )}
      </span>
      {keeping === 'here' && (
        <span className={classes['hint']}>
          Kept in this browser only: the server did not take it.
        </span>
      )}
      {refusal !== null && <DraftOnly refusal={refusal} />}
      {hasDrifted && (
        <Button variant="default" onClick={editor.rebase}>
          The published schema changed · Rebase
        </Button>
      )}
      <Button variant="default" disabled={draft.done.length === 0} onClick={editor.discard}>
        Discard
      </Button>
      <Button disabled={changes.length === 0} onClick={onReview}>
        {refusal === null ? 'Review and publish' : 'Review'}
      </Button>
    </section>
  )
}

/** For whoever may not change the schema: why publishing is not offered. */
export function DraftOnly({ refusal }: { readonly refusal: string }) {
  return (
    <span className={classes['hint']} title={refusal}>
      You may draft here, but not publish.
    </span>
  )
}

/** All steps, the last on top; choosing one goes to the draft as it was after it. */
function HistoryMenu({ editor }: { readonly editor: SchemaEditor }) {
  const { done, undone } = editor.draft
  const steps = [null, ...done, ...undone.toReversed()]
  return (
    <Menu position="top-start">
      <Menu.Target>
        <ActionIcon aria-label="History of the draft" disabled={steps.length === 1}>
          <History size={15} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes['history'] ?? ''}>
        {steps
          .map((operation, step) => (
            <Menu.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: a history is only ever cut at its end
              key={step}
              aria-current={step === done.length ? 'step' : undefined}
              data-undone={step > done.length}
              leftSection={<Check size={13} aria-hidden="true" />}
              rightSection={step > done.length ? 'undone' : null}
              onClick={() => editor.goTo(step)}
            >
              {operation === null ? 'As published' : operationLabel(operation)}
            </Menu.Item>
          ))
          .toReversed()}
      </Menu.Dropdown>
    </Menu>
  )
}

function undoLabel(verb: string, operation: Parameters<typeof operationLabel>[0] | undefined) {
  return operation === undefined
    ? `Nothing to ${verb.toLowerCase()}`
    : `${verb}: ${operationLabel(operation)}`
}
