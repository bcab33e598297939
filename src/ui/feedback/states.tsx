/** What a view shows while it has no data: loading, nothing there, something went wrong. */
import { Button, CopyButton } from '@mantine/core'
import { Lock, RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { manual } from '#lib/manual.ts'
import { Breakable } from '../layout/breakable.tsx'
import { canOpenRequests, openRequest } from './request-link.ts'
import classes from './states.module.css'

const SKELETON_DELAY_MS = 150
const STILL_WORKING_DELAY_MS = 5_000

interface LoadingProps {
  /** What is being loaded, for whoever cannot see the skeleton: `indexes`. */
  readonly what?: string
  readonly rows?: number
  /** Offered after five seconds. */
  readonly onStop?: () => void
}

/** Nothing for 150 ms, then a skeleton, and words once it takes long. */
export function Loading({ what = 'data', rows = 6, onStop }: LoadingProps) {
  const visible = useElapsed(SKELETON_DELAY_MS)
  const long = useElapsed(STILL_WORKING_DELAY_MS)
  return (
    <div className={classes.loading} role="status" aria-label={`Loading ${what}`}>
      {visible &&
        Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are alike and never move
          <span key={row} className={classes.bar} style={{ width: `${92 - ((row * 17) % 45)}%` }} />
        ))}
      {long && (
        <p className={classes.still}>
          Still working
          {onStop !== undefined && (
            <Button variant="default" onClick={onStop}>
              Stop
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

function useElapsed(delayMs: number): boolean {
  const [elapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return elapsed
}

interface EmptyStateProps {
  readonly icon?: ReactNode
  /** One sentence: what this place is for. */
  readonly text: string
  readonly hint?: ReactNode
  /** The primary action, then at most one other. */
  readonly actions?: ReactNode
}

export function EmptyState({ icon, text, hint, actions }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {icon !== undefined && (
        <span className={classes.emptyIcon} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={classes.emptyText}>{text}</p>
      {hint !== undefined && <div className={classes.emptyHint}>{hint}</div>}
      {actions !== undefined && <div className={classes.emptyActions}>{actions}</div>}
    </div>
  )
}

/** What an API error carries besides its message; any other error shows its message alone. */
interface ReportableDetails {
  readonly code: string
  readonly status: number
  readonly method: string
  readonly url: string
  readonly requestId?: string | undefined
  readonly curl: string
  readonly logId?: number | undefined
}

interface ErrorNoticeProps {
  readonly error: unknown
  /** What did not work: `Indexes could not be read`. */
  readonly title?: string
  readonly onRetry?: () => unknown
  /** For what cannot be tried again by this notice. */
  readonly onDismiss?: () => void
  /** What else to do about it. */
  readonly action?: ReactNode
  /** In other words than the error's own. */
  readonly text?: string
  /** What may be behind it. */
  readonly children?: ReactNode
}

/** A panel-level error with everything needed to report it. */
export function ErrorNotice({
  error,
  title = 'This did not work',
  onRetry,
  onDismiss,
  action,
  text = messageOf(error),
  children,
}: ErrorNoticeProps) {
  const details = detailsOf(error)
  // Nothing is broken: somebody decided so, and somebody can decide otherwise.
  const isRefused = details?.status === 403
  const Icon = isRefused ? Lock : TriangleAlert
  return (
    <div className={classes.error} data-refused={isRefused} role="alert">
      <Icon className={classes.errorIcon} size={16} aria-hidden="true" />
      <div className={classes.errorBody}>
        <p className={classes.errorTitle}>{title}</p>
        <p className={classes.errorMessage}>{text}</p>
        {children}
        {isRefused && children === undefined && <p>{refusalHint(details.code)}</p>}
        {details !== undefined && (
          <dl className={classes.facts}>
            <div>
              <dt>Request</dt>
              <dd>
                <code>
                  {details.method} <Breakable path={details.url} />
                </code>
              </dd>
            </div>
            <div>
              <dt>Answer</dt>
              <dd>
                <code>
                  {details.status === 0 ? 'none' : details.status} <ErrorCode code={details.code} />
                </code>
              </dd>
            </div>
            {details.requestId !== undefined && (
              <div>
                <dt>Request id</dt>
                <dd>
                  <code>{details.requestId}</code>
                </dd>
              </div>
            )}
          </dl>
        )}
        <div className={classes.errorActions}>
          {action}
          {onRetry !== undefined && (
            <Button
              variant="default"
              leftSection={<RotateCw size={13} aria-hidden="true" />}
              onClick={() => onRetry()}
            >
              Retry
            </Button>
          )}
          {onDismiss !== undefined && (
            <Button variant="default" onClick={onDismiss}>
              Dismiss
            </Button>
          )}
          {details?.logId !== undefined && canOpenRequests() && (
            <Button variant="default" onClick={() => openRequest(details.logId ?? 0)}>
              Show request
            </Button>
          )}
          {details !== undefined && (
            <CopyButton value={details.curl}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy as curl'}
                </Button>
              )}
            </CopyButton>
          )}
        </div>
      </div>
    </div>
  )
}

/** A code of the server leads to its entry in the manual. */
function ErrorCode({ code }: { readonly code: string }) {
  const address = manual.error(code)
  if (address === null) return code
  return (
    <a href={address} target="_blank" rel="noreferrer" title="What this code means">
      {code}
    </a>
  )
}

const refusalHint = (code: string): string =>
  code === 'WRITE_GUARDED'
    ? 'The padlock in the top bar says what happens to writes from this browser.'
    : 'Whoever manages the users of this server can give you the right.'

export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'The reason is unknown.'

/** What a toast about an error offers: its request. */
export function requestAction(error: unknown) {
  const logId = detailsOf(error)?.logId
  return logId === undefined
    ? {}
    : { action: { label: 'Show request', run: () => openRequest(logId) } }
}

function detailsOf(error: unknown): ReportableDetails | undefined {
  if (!(error instanceof Error) || !('details' in error)) return undefined
  const details = error.details as Partial<ReportableDetails> | undefined
  return typeof details?.url === 'string' ? (details as ReportableDetails) : undefined
}
