/** All rows turned into payloads and not sent: what would be refused, and why. */

import { useFilePass } from '#lib/csv/use-file-pass.ts'
import { counted, formatCount, formatPercent } from '#lib/format.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { type CsvReading, dryRun } from '../model/file-chunks.ts'
import { batchPayload } from '../model/row-payload.ts'
import classes from './data.module.css'
import { DefaultedValuesText } from './defaulted-values.tsx'

interface DryRunProps {
  readonly file: File
  readonly reading: CsvReading
  /** Most of the file may be meant for another type. */
  readonly isDoubtful: boolean
}

export function DryRun({ file, reading, isDoubtful }: DryRunProps) {
  const { result, share, error } = useFilePass(file, JSON.stringify(reading), (onShare, signal) =>
    dryRun(file, reading, onShare, signal),
  )
  if (error !== null) return <ErrorNotice error={error} title="The file cannot be read" />
  if (result === null) {
    return (
      <section className={classes['dry']} aria-label="Dry run">
        <p className={classes['counts']} role="status">
          <StatusBadge status="info">Dry run</StatusBadge>
          <span>{formatPercent(share)} of the file is checked.</span>
        </p>
      </section>
    )
  }
  const { rows, rejectedCount, rejected, defaulted, first } = result
  const more = rejectedCount - rejected.length
  return (
    <section className={classes['dry']} aria-label="Dry run">
      <p className={classes['counts']}>
        <StatusBadge status={rejectedCount > 0 || isDoubtful ? 'warning' : 'success'}>
          Dry run
        </StatusBadge>
        <span>
          {formatCount(rows - rejectedCount)} of {counted(rows, 'row', 'rows')} can be loaded.
        </span>
        <DefaultedValuesText counts={defaulted} />
      </p>
      {rejected.length > 0 && (
        <ul className={classes['problems']}>
          {rejected.map(({ row, reason }) => (
            <li key={row}>
              Row {row}: {reason}
            </li>
          ))}
          {more > 0 && <li>{counted(more, 'more row', 'more rows')}</li>}
        </ul>
      )}
      {first !== null && (
        <pre className={classes['code']}>{batchPayload(reading.mapping, [first])}</pre>
      )}
    </section>
  )
}
