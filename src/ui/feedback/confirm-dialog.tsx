/**
 * Asks before something costly; with `typedName`, before something that cannot be undone: the name
 * must be typed, Cancel has the focus and the button wakes after a second.
 */
import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import classes from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './states.tsx'

const WAKE_DELAY_MS = 1_000

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  /** What will happen, with the numbers. */
  readonly children: ReactNode
  /** A verb and its object: `Drop index by_email`. */
  readonly confirmLabel: string
  readonly danger?: boolean
  /** Must be typed before the button works. */
  readonly typedName?: string
  readonly busy?: boolean
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const [told, setTold] = useState<unknown>(null)
  // What failed when the question was asked before is not told again.
  if (!props.opened && told !== props.error) setTold(props.error)
  const error = props.error === told ? null : props.error
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title} size="md">
      <ConfirmBody {...props} error={error} />
    </Dialog>
  )
}

function ConfirmBody(props: ConfirmDialogProps) {
  const { typedName, busy = false, error } = props
  const [typed, setTyped] = useState('')
  const awake = useAwake(typedName === undefined ? 0 : WAKE_DELAY_MS)
  const matches = typedName === undefined || typed === typedName
  return (
    <form
      className={classes.body}
      onSubmit={(event) => {
        event.preventDefault()
        if (matches && awake) props.onConfirm()
      }}
    >
      <div className={classes.text}>{props.children}</div>
      {typedName !== undefined && (
        <TextInput
          label={`Type ${typedName} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {error !== undefined && error !== null && <ErrorNotice error={error} />}
      <div className={classes.actions}>
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          type="submit"
          color={props.danger === true || typedName !== undefined ? 'red' : 'ink'}
          disabled={!matches || !awake}
          loading={busy}
        >
          {props.confirmLabel}
        </Button>
      </div>
    </form>
  )
}

function useAwake(delayMs: number): boolean {
  const [awake, setAwake] = useState(delayMs === 0)
  useEffect(() => {
    const timer = setTimeout(() => setAwake(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return awake
}
