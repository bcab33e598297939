/** The text in the editor against what is installed. */
import { useMemo } from 'react'
import { counted } from '#lib/format.ts'
import { type DiffLine, diffLines } from '../model/line-diff.ts'
import classes from './draft-diff.module.css'

interface DraftDiffProps {
  readonly installed: string
  readonly draft: string
}

const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
const signs = { same: ' ', added: '+', removed: '−' } as const

export function DraftDiff({ installed, draft }: DraftDiffProps) {
  const lines = useMemo(() => diffLines(installed, draft), [installed, draft])
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return (
    <div className={classes.diff}>
      <p className={classes.summary} role="status">
        {counted(count('added'), 'line', 'lines')} added,{' '}
        {counted(count('removed'), 'line', 'lines')} removed since the last install
      </p>
      <ol className={classes.lines} aria-label="Changes since the last install">
        {lines.map(({ kind, text, before, after }) => (
          <li key={`${before} ${after}`} data-kind={kind}>
            <span className={classes.number} aria-hidden="true">
              {before ?? ''}
            </span>
            <span className={classes.number} aria-hidden="true">
              {after ?? ''}
            </span>
            <span className={classes.sign} aria-hidden="true">
              {signs[kind]}
            </span>
            <code>
              <span className="visually-hidden">{words[kind]}</span>
              {text}
            </code>
          </li>
        ))}
      </ol>
    </div>
  )
}
