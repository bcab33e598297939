/** The time of a run as a bar of its parts; its parts in words for who asks. */
import { Tooltip } from '@mantine/core'
import { formatDuration } from '#lib/format.ts'
import type { RunAnswer } from '../api/queries.ts'
import { type RunTime, runTimes, type TimePart, totalMs } from '../model/run-times.ts'
import classes from '../queries-page.module.css'

const colors: Readonly<Record<TimePart, string>> = {
  queue: 'var(--q-c4)',
  execute: 'var(--q-c1)',
  transfer: 'var(--q-c2)',
  parse: 'var(--q-c3)',
  render: 'var(--q-c5)',
}

interface TimeBarProps {
  readonly answer: RunAnswer
  /** Null: it is being drawn. */
  readonly renderMs: number | null
}

export function TimeBar({ answer, renderMs }: TimeBarProps) {
  const times = runTimes(answer, renderMs)
  const total = formatDuration(totalMs(times))
  const label = `Times: ${total}, of these ${wordsOf(times)}`
  return (
    <Tooltip label={<Parts times={times} />} events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={classes.times} aria-label={label}>
        <span className={classes.timeBar} aria-hidden="true">
          {times.map(({ part, ms }) => (
            <i key={part} style={{ background: colors[part], flexGrow: ms }} />
          ))}
        </span>
        {total}
      </button>
    </Tooltip>
  )
}

function Parts({ times }: { readonly times: readonly RunTime[] }) {
  return (
    <span className={classes.timeParts}>
      {times.map(({ part, ms }) => (
        <span key={part}>
          <i style={{ background: colors[part] }} />
          {part}
          <strong>{formatDuration(ms)}</strong>
        </span>
      ))}
    </span>
  )
}

const wordsOf = (times: readonly RunTime[]): string =>
  times.map(({ part, ms }) => `${part} ${formatDuration(ms)}`).join(', ')
