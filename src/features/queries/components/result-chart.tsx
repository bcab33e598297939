/** A printed table as bars, with the figures beside them: the picture is a table, too. */
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { counted, formatCount } from '#lib/format.ts'
import type { TablePart } from '../model/result.ts'
import {
  BARS_MAX,
  barsOf,
  labelColumn,
  numericColumns,
  placed,
  spreadOf,
} from '../model/result-chart.ts'
import classes from './result-chart.module.css'

type Look = 'rows' | 'spread'

/** @param parts each has a column of numbers; at least one part */
export function ResultChart({ parts }: { readonly parts: readonly TablePart[] }) {
  const [position, setPosition] = useState(0)
  const [wanted, setWanted] = useState({ column: '', label: '' })
  const part = parts[position] ?? parts[0]
  const [look, setLook] = useState<Look>((part?.rows.length ?? 0) > BARS_MAX ? 'spread' : 'rows')
  if (part === undefined) return null
  const numeric = numericColumns(part)
  const column = numeric.includes(wanted.column) ? wanted.column : (numeric.at(-1) ?? '')
  const label = part.columns.includes(wanted.label) ? wanted.label : labelColumn(part)
  return (
    <div className={classes.chart}>
      <div className={classes.controls}>
        {parts.length > 1 && (
          <NativeSelect
            label="Table"
            data={parts.map(({ name }, index) => ({ value: String(index), label: name }))}
            value={String(position)}
            onChange={(event) => setPosition(Number(event.currentTarget.value))}
          />
        )}
        <NativeSelect
          label="Values"
          data={[...numeric]}
          value={column}
          onChange={(event) => setWanted({ ...wanted, column: event.currentTarget.value })}
        />
        <div className={classes.look}>
          <span>A bar is</span>
          <SegmentedControl
            aria-label="What a bar is"
            data={[
              { value: 'rows', label: 'A row' },
              { value: 'spread', label: 'Rows alike' },
            ]}
            value={look}
            onChange={setLook}
          />
        </div>
        {look === 'rows' && (
          <NativeSelect
            label="Named by"
            data={[...part.columns]}
            value={label}
            onChange={(event) => setWanted({ ...wanted, label: event.currentTarget.value })}
          />
        )}
      </div>
      <Bars {...{ part, column, label, look }} />
    </div>
  )
}

interface BarsProps {
  readonly part: TablePart
  readonly column: string
  readonly label: string
  readonly look: Look
}

function Bars({ part, column, label, look }: BarsProps) {
  const bars = useMemo(
    () => placed(look === 'rows' ? barsOf(part, label, column) : spreadOf(part, column)),
    [part, column, label, look],
  )
  const total = part.rows.length
  const shown =
    look === 'rows' && total > bars.length
      ? `the first ${formatCount(bars.length)} of ${formatCount(total)} rows`
      : counted(total, 'row', 'rows')
  return (
    <>
      <p className={classes.note} role="status">
        {look === 'rows' ? `${column} of ` : `How ${column} is spread over `}
        {shown}
      </p>
      <table className={classes.bars} aria-label={`${part.name} as bars`}>
        <thead className="visually-hidden">
          <tr>
            <th>{look === 'rows' ? label : column}</th>
            <th>{look === 'rows' ? column : 'rows'}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result have no other identity
            <tr key={position}>
              <th scope="row" title={bar.label}>
                {bar.label}
              </th>
              <td className={classes.value}>{bar.text}</td>
              <td aria-hidden="true">
                <div className={classes.track}>
                  <i style={{ left: percent(bar.from), width: percent(bar.to - bar.from) }} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const percent = (share: number): string => `${share * 100}%`
