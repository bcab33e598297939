/** What is done with the query in the editor. */
import { ActionIcon, Button } from '@mantine/core'
import {
  AlignLeft,
  BookOpen,
  CircleStop,
  FlaskConical,
  Play,
  Trash2,
  Undo2,
  Upload,
} from 'lucide-react'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import type { CompilerClient } from '#compiler/compiler-client.ts'
import { createQueries, dropQuery, interpretQuery, runQuery } from '#contract/queries.ts'
import { manual } from '#lib/manual.ts'
import { useCommand } from '#ui/commands/commands.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { useKeptFocus } from '#ui/inputs/focus-again.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Toolbar, ToolbarEnd } from '#ui/layout/toolbar.tsx'
import classes from '../queries-page.module.css'
import type { QueryEditor } from '../use-query-editor.ts'
import { FolderMenu } from './folder-menu.tsx'
import { ShareMenu } from './share-menu.tsx'

interface QueryToolbarProps {
  readonly graph: string
  readonly editor: QueryEditor
  readonly compiler: CompilerClient | null
  /** A part of the text is selected: that is what runs. */
  readonly isPart: boolean
  readonly onRun: () => void
  readonly onRunAll: () => void
  readonly onRevert: () => void
}

export function QueryToolbar(props: QueryToolbarProps) {
  const { graph, editor, compiler, isPart, onRun, onRunAll, onRevert } = props
  const { installing, run, dirty, name, text } = editor
  const runs = useKeptFocus<HTMLSpanElement>(run.status)
  const group = 'Queries'
  const install = () => text.trim() !== '' && installing.mutate(text)
  const format = () => void layOut(editor, compiler)
  useCommand({ id: 'queries.install', group, label: 'Install', keys: 'mod+s', run: install })
  useCommand({
    id: 'queries.run',
    group,
    label: 'Run the selection or all of the text',
    keys: 'mod+enter',
    run: onRun,
  })
  useCommand({
    id: 'queries.draft',
    group,
    label: 'Run all of the text',
    keys: 'shift+mod+enter',
    run: onRunAll,
  })
  useCommand({ id: 'queries.format', group, label: 'Format', keys: 'shift+mod+f', run: format })
  return (
    <Toolbar label="Query">
      <Refusable refusal={useRefusal(createQueries, graph)}>
        <Button
          variant={dirty ? 'filled' : 'default'}
          leftSection={<Upload size={14} aria-hidden="true" />}
          loading={installing.isPending}
          disabled={text.trim() === ''}
          onClick={() => installing.mutate(text)}
        >
          Install
        </Button>
      </Refusable>
      <span ref={runs} className={classes.runButtons}>
        {run.status === 'pending' ? (
          <Button
            color="red"
            leftSection={<CircleStop size={14} aria-hidden="true" />}
            onClick={editor.stop}
          >
            Stop
          </Button>
        ) : (
          <RunButtons {...{ graph, editor, isPart, onRun }} />
        )}
      </span>
      {dirty && name !== '' && (
        <Button
          variant="subtle"
          leftSection={<Undo2 size={14} aria-hidden="true" />}
          onClick={onRevert}
        >
          Revert
        </Button>
      )}
      <Button
        variant="subtle"
        leftSection={<AlignLeft size={14} aria-hidden="true" />}
        disabled={compiler === null || text.trim() === ''}
        onClick={format}
      >
        Format
      </Button>
      <ToolbarEnd>
        <ReferenceLink />
        <ShareMenu graph={graph} editor={editor} />
        {name !== '' && <FolderMenu graph={graph} name={name} />}
        {name !== '' && <DropButton {...{ graph, editor }} />}
      </ToolbarEnd>
    </Toolbar>
  )
}

function ReferenceLink() {
  const label = 'Language reference'
  return (
    <ActionIcon
      component="a"
      variant="subtle"
      href={manual.language}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      title={label}
    >
      <BookOpen size={14} aria-hidden="true" />
    </ActionIcon>
  )
}

type RunButtonsProps = Pick<QueryToolbarProps, 'graph' | 'editor' | 'isPart' | 'onRun'>

/** The installed query, and beside it the draft; in the place of what would run, the selection. */
function RunButtons({ graph, editor, isPart, onRun }: RunButtonsProps) {
  const { dirty, isDraft } = editor
  const refusals = {
    installed: useRefusal(runQuery, graph, editor.owner),
    draft: useRefusal(interpretQuery, graph),
  }
  const part = isPart && {
    title: 'Runs what is selected; installs nothing. Ctrl+Enter',
    children: 'Run selection',
  }
  return (
    <>
      <Refusable refusal={isPart && !isDraft ? refusals.draft : refusals.installed}>
        <Button
          variant={dirty ? 'default' : 'filled'}
          leftSection={<Play size={14} aria-hidden="true" />}
          onClick={() => onRun()}
          {...((!isDraft && part) || {
            disabled: !editor.canRun,
            title: dirty ? 'Install first: a run always uses the installed text' : 'Ctrl+Enter',
            children: 'Run',
          })}
        />
      </Refusable>
      {isDraft && (
        <Refusable refusal={refusals.draft}>
          <Button
            variant="default"
            leftSection={<FlaskConical size={14} aria-hidden="true" />}
            onClick={() => onRun()}
            {...(part || {
              disabled: !editor.canRunDraft,
              title: 'Runs the text as it is here; installs nothing. Ctrl+Enter',
              children: 'Run draft',
            })}
          />
        </Refusable>
      )}
    </>
  )
}

/** An answer that comes when the text is another one by now is of no use. */
async function layOut(editor: QueryEditor, compiler: CompilerClient | null): Promise<void> {
  const formatted = await compiler?.format(editor.text)
  if (formatted == null) {
    notify('A text or a comment is not closed: the query was left as it is.', { status: 'warning' })
  } else editor.replaceText(editor.text, formatted)
}

function DropButton({ graph, editor }: Pick<QueryToolbarProps, 'graph' | 'editor'>) {
  const { name, dropping } = editor
  const [confirming, setConfirming] = useState(false)
  return (
    <>
      <Refusable refusal={useRefusal(dropQuery, graph, editor.owner)}>
        <Button
          variant="subtle"
          leftSection={<Trash2 size={14} aria-hidden="true" />}
          onClick={() => setConfirming(true)}
        >
          Drop
        </Button>
      </Refusable>
      <ConfirmDialog
        opened={confirming}
        title={`Drop ${name}?`}
        confirmLabel={`Drop ${name}`}
        danger
        busy={dropping.isPending}
        error={dropping.error}
        onClose={() => setConfirming(false)}
        onConfirm={() => dropping.mutate(undefined, { onSuccess: () => setConfirming(false) })}
      >
        <p>The REST endpoint stops immediately. You can undo this for 10 seconds.</p>
      </ConfirmDialog>
    </>
  )
}
