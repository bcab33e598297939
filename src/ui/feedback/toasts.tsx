/**
 * Short notices at the lower left of the page, announced politely. Never for something a person must act
 * on: that belongs on the page.
 */
import { CloseButton } from '@mantine/core'
import { useEffect, useSyncExternalStore } from 'react'
import type { Status } from './status-badge.tsx'
import classes from './toasts.module.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly status: Status
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const SHOWN_MS = 5_000
const SHOWN_WITH_ACTION_MS = 10_000
const TOASTS_MAX = 4

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next.slice(-TOASTS_MAX)
  for (const listener of listeners) listener()
}

/** `action` is for Undo; the notice then stays for ten seconds. */
export function notify(
  text: string,
  options: Partial<Pick<Toast, 'status' | 'action'>> = {},
): void {
  change([...toasts, { id: nextId++, text, status: 'success', ...options }])
}

const close = (id: number): void => change(toasts.filter((toast) => toast.id !== id))

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={classes.region} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const { id, action } = toast
  const shownMs = action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS
  useEffect(() => {
    const timer = setTimeout(() => close(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, shownMs])
  return (
    <div className={classes.toast} data-status={toast.status}>
      <span className={classes.text}>{toast.text}</span>
      {action !== undefined && (
        <button
          type="button"
          className={classes.action}
          onClick={() => {
            close(id)
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <CloseButton
        size="sm"
        className={classes.close ?? ''}
        aria-label="Close notice"
        onClick={() => close(id)}
      />
    </div>
  )
}
