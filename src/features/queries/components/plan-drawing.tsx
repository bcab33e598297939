/** A plan drawn: a row a statement, for a SELECT its start and hops from left to right, its cost. */
import { type CSSProperties, type ReactNode, useState } from 'react'
import { counted, formatCount, formatDuration, formatPercent } from '#lib/format.ts'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import {
  arrowsOf,
  declarationCount,
  type Hop,
  hopWords,
  misjudged,
  type PlanRow,
  parallelWords,
  repeatWords,
  type SelectPlan,
  searchWords,
  sourceWords,
} from '../model/plan.ts'
import classes from './plan.module.css'

interface PlanDrawingProps {
  readonly label: string
  readonly rows: readonly PlanRow[]
  /** It was run: steps have a cost. */
  readonly measured: boolean
  /** The step being run; null: none. */
  readonly runningId: number | null
  readonly onLine: (line: number) => void
}

export function PlanDrawing(props: PlanDrawingProps) {
  const { label, rows, measured, runningId, onLine } = props
  const [unfolded, setUnfolded] = useState(false)
  const declarations = declarationCount(rows)
  const shown = unfolded ? rows : rows.slice(declarations)
  const headings = measured ? ['Time', 'Times', 'Rows', 'Edges'] : ['Edges']
  return (
    <div className={classes.drawing} data-measured={measured}>
      <div className={classes.headings} aria-hidden="true">
        <span>Line</span>
        <span>Statement</span>
        {headings.map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <ol aria-label={label}>
        {declarations > 0 && (
          <li className={classes.step}>
            <button
              type="button"
              className={classes.fold}
              aria-expanded={unfolded}
              onClick={() => setUnfolded(!unfolded)}
            >
              {counted(declarations, 'declaration', 'declarations')}
            </button>
          </li>
        )}
        {shown.map((row) => (
          <li
            key={row.step.id}
            className={classes.step}
            style={{ '--depth': row.step.depth } as CSSProperties}
            aria-current={row.step.id === runningId ? 'step' : undefined}
            data-skipped={measured && row.cost === null}
          >
            <button
              type="button"
              className={classes.line}
              aria-label={`Line ${row.step.line} in the editor`}
              onClick={() => onLine(row.step.line)}
            >
              {row.step.line}
            </button>
            <Statement row={row} running={row.step.id === runningId} />
            <Cost row={row} measured={measured} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Statement({ row, running }: { readonly row: PlanRow; readonly running: boolean }) {
  const { result, statement, select, vectorSearches } = row.step
  return (
    <div className={classes.statement}>
      <p className={classes.title}>
        <strong>{statement}</strong>
        {result !== null && (
          <span>
            into <code>{result}</code>
          </span>
        )}
        {running && <em className={classes.running}>running</em>}
      </p>
      {select !== null && <Chain select={select} cost={row.cost} />}
      {vectorSearches.map((search) => (
        <small key={search.attribute}>{searchWords(search)}</small>
      ))}
    </div>
  )
}

interface ChainProps {
  readonly select: SelectPlan
  readonly cost: PlanRow['cost']
}

function Chain({ select, cost }: ChainProps) {
  const { start, hops } = select
  const kept = (level: number, { conditions, estimatedRows }: Estimate) => (
    <Kept
      conditions={conditions}
      rows={estimatedRows * (cost?.executions ?? 1)}
      kept={cost?.kept[level]}
    />
  )
  return (
    <>
      <div className={classes.chain}>
        <div className={classes.stop}>
          <Ends alias={start.alias} types={start.types} />
          <small>{sourceWords(start)}</small>
          {kept(0, start)}
        </div>
        {hops.map((hop, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two hops may be alike, and none ever moves
          <HopDrawing key={position} hop={hop} kept={kept(position + 1, hop)} />
        ))}
      </div>
      <Clauses select={select} />
    </>
  )
}

function HopDrawing({ hop, kept }: { readonly hop: Hop; readonly kept: ReactNode }) {
  const { left, right } = arrowsOf(hop)
  const repeated = repeatWords(hop.repeat)
  const types = [...new Set(hop.edges.map(({ type }) => type))]
  return (
    <div className={classes.hop}>
      <div className={classes.way}>
        <span className={classes.types}>
          {types.map((type) => (
            <TypeTag key={type} name={type} kind="edge" />
          ))}
          {repeated !== null && <span>{repeated}</span>}
        </span>
        <span className={classes.arrow} aria-hidden="true">
          {left && <span data-head="left" />}
          {right && <span data-head="right" />}
        </span>
        <span className="visually-hidden">{directionWords(left, right)}</span>
        <small>{hopWords(hop)}</small>
      </div>
      <div className={classes.stop}>
        <Ends alias={hop.to} types={hop.toTypes} />
        {kept}
      </div>
    </div>
  )
}

function directionWords(left: boolean, right: boolean): string {
  if (left === right) return 'in both directions to'
  return right ? 'along its direction to' : 'against its direction to'
}

interface EndsProps {
  readonly alias: string
  readonly types: readonly string[]
}

/** More types than this are counted. */
const TYPES_NAMED_MAX = 3

function Ends({ alias, types }: EndsProps) {
  return (
    <span className={classes.types}>
      <code>{alias}</code>
      {types.length > TYPES_NAMED_MAX ? (
        <span title={types.join(', ')}>{types.length} types</span>
      ) : (
        types.map((type) => <TypeTag key={type} name={type} />)
      )}
    </span>
  )
}

type Estimate = Pick<Hop, 'conditions' | 'estimatedRows'>

interface KeptProps {
  readonly conditions: number
  readonly rows: number
  /** Undefined: not run. */
  readonly kept: number | undefined
}

function Kept({ conditions, rows, kept }: KeptProps) {
  const filtered = conditions === 0 ? '' : `${counted(conditions, 'condition', 'conditions')}, `
  return (
    <small>
      {filtered}about {formatCount(rows)}
      {kept !== undefined && `; ${formatCount(kept)} kept`}
    </small>
  )
}

function Clauses({ select }: { readonly select: SelectPlan }) {
  const { accum, postAccum, sorted } = select
  const clauses = [
    accum ? 'ACCUM' : '',
    postAccum > 1 ? `${postAccum} × POST-ACCUM` : postAccum === 1 ? 'POST-ACCUM' : '',
    sorted ? 'ORDER BY' : '',
  ].filter((clause) => clause !== '')
  const words = [clauses.length === 0 ? '' : `then ${clauses.join(', ')}`, parallelWords(select)]
  if (words.every((word) => word === '')) return null
  return <p className={classes.clauses}>{words.filter((word) => word !== '').join('; ')}</p>
}

function Cost({ row, measured }: { readonly row: PlanRow; readonly measured: boolean }) {
  const { cost, expectedEdges } = row
  if (!measured) {
    return (
      <dl className={classes.cost}>
        <div>
          <dt>Edges</dt>
          <dd>{expectedEdges === null ? '' : `about ${formatCount(expectedEdges)}`}</dd>
        </div>
      </dl>
    )
  }
  if (cost === null) return <p className={classes.never}>not reached</p>
  return (
    <dl className={classes.cost}>
      <div>
        <dt>Time</dt>
        <dd>
          <TimeShare share={cost.timeShare} />
          {formatDuration(cost.timeMs)}
          {cost.threads > 1 && <small>on {cost.threads} threads</small>}
        </dd>
      </div>
      <div>
        <dt>Times</dt>
        <dd>{formatCount(cost.executions)}</dd>
      </div>
      <div data-zero={cost.rows === 0}>
        <dt>Rows</dt>
        <dd>
          {formatCount(cost.rows)}
          {row.expectedRows !== null && <small>expected {formatCount(row.expectedRows)}</small>}
        </dd>
      </div>
      <div data-zero={cost.edges === 0 && row.expectedEdges === null}>
        <dt>Edges</dt>
        <dd>
          {formatCount(cost.edges)}
          <Expected row={row} />
        </dd>
      </div>
    </dl>
  )
}

/** Less than this part of the time needs no second look. */
const SHARE_SHOWN_MIN = 0.01

function TimeShare({ share }: { readonly share: number }) {
  if (share < SHARE_SHOWN_MIN) return null
  return (
    <span className={classes.share}>
      <span className={classes.bar} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      <small>{formatPercent(share)}</small>
    </span>
  )
}

function Expected({ row }: { readonly row: PlanRow }) {
  if (row.expectedEdges === null) return null
  const off = misjudged(row)
  return (
    <small data-off={off !== null}>
      {off === null ? 'expected ' : `far ${off} than the expected `}
      {formatCount(row.expectedEdges)}
    </small>
  )
}
