/** The first hundred rows, turned into payloads and not sent: what would be refused, and why. */

import type { CsvShape } from '#lib/csv/csv-sniff.ts'
import { counted } from '#lib/format.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { recordFragment } from '../model/file-chunks.ts'
import type { Mapping } from '../model/mapping.ts'
import { batchPayload } from '../model/row-payload.ts'
import classes from './data.module.css'

const DRY_ROWS = 100
const PROBLEMS_SHOWN = 10

interface DryRunProps {
  readonly mapping: Mapping
  readonly shape: CsvShape
}

export function DryRun({ mapping, shape }: DryRunProps) {
  const rows = shape.rows.slice(0, DRY_ROWS)
  const columns = shape.columns.map(({ name }) => name)
  const results = rows.map((record) =>
    recordFragment(record, { columns, mapping, nullText: shape.nullText }),
  )
  const first = results.find((result) => 'fragment' in result)
  const problems = results.flatMap((result, place) =>
    'fragment' in result
      ? []
      : [{ row: place + 1 + (shape.hasHeader ? 1 : 0), problem: result.problem }],
  )
  return (
    <section className={classes['dry']} aria-label="Dry run">
      <p className={classes['counts']}>
        <StatusBadge status={problems.length === 0 ? 'success' : 'warning'}>Dry run</StatusBadge>
        <span>
          {rows.length - problems.length} of {rows.length === 1 ? '' : 'the first '}
          {counted(rows.length, 'row', 'rows')} can be loaded.
        </span>
      </p>
      {problems.length > 0 && (
        <ul className={classes['problems']}>
          {problems.slice(0, PROBLEMS_SHOWN).map(({ row, problem }) => (
            <li key={row}>
              Row {row}: {problem}
            </li>
          ))}
          {problems.length > PROBLEMS_SHOWN && (
            <li>{counted(problems.length - PROBLEMS_SHOWN, 'more row', 'more rows')}</li>
          )}
        </ul>
      )}
      {first !== undefined && 'fragment' in first && (
        <pre className={classes['code']}>{batchPayload(mapping, [first.fragment])}</pre>
      )}
    </section>
  )
}
