/** How the selected vertices are connected, path by path. */
import { Fragment } from 'react'
import type { Connection, ToldPath } from '../model/path-words.ts'
import classes from './inspector.module.css'

export function Connections({ connections }: { readonly connections: readonly Connection[] }) {
  return connections.map((connection) => <Paths {...connection} key={connection.key} />)
}

function Paths({ title, note, paths }: Connection) {
  return (
    <section aria-label={`Paths between ${title}`}>
      <h3 className={classes.heading}>{title}</h3>
      <p className={classes.note}>{note}</p>
      <ol className={classes.paths}>
        {paths.map((path) => (
          <Path key={path.words.join(' ')} {...path} />
        ))}
      </ol>
    </section>
  )
}

/** A hop is one word: its dash never stands at the end of one line and its name on the next. */
function Path({ words, cost }: ToldPath) {
  return (
    <li>
      {cost !== undefined && <b>{costText(cost)}: </b>}
      {words.map((word, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path never changes
        <Fragment key={place}>
          {place > 0 && ' '}
          {place % 2 === 0 ? word : <span className={classes.hop}>{word}</span>}
        </Fragment>
      ))}
    </li>
  )
}

/** Sums of decimal fractions end in digits that nobody has written. */
const costText = (cost: number): string =>
  Number(cost.toPrecision(12)).toLocaleString('en', { maximumFractionDigits: 12 })
