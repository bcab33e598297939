/** The first minute: three starts from an empty server, each with a picture of what it leads to. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useRefusal } from '#api/rights.ts'
import { createGraph } from '#contract/schema.ts'
import { paths } from '#lib/paths.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'
import classes from './first-graph.module.css'

export function FirstGraph({ sample }: { readonly sample: ReactNode }) {
  const refusal = useRefusal(createGraph, '')
  return (
    <section className={classes.first} aria-labelledby="first-graph">
      <h2 id="first-graph" className={classes.headline}>
        No graphs yet. Start with one of these.
      </h2>
      <p className={classes.sentence}>
        Everything stays on this server. A server can hold several graphs.
      </p>
      <ul className={classes.starts}>
        <li className={classes.start} data-leads>
          <RingPicture />
          <div className={classes.text}>
            <h3>Sample graph</h3>
            <p>
              Accounts, cards, merchants and devices with a fraud ring to find. Comes with three
              queries and some traffic, so every page has something to show.
            </p>
            <p className={classes.facts}>20,000 vertices, 100,000 edges</p>
            <div>{sample}</div>
          </div>
        </li>
        <li className={classes.start}>
          <TablePicture />
          <div className={classes.text}>
            <h3>A CSV file</h3>
            <p>
              Its columns become a vertex type. Check names and types, try a hundred rows, then load
              the rest.
            </p>
            <div>
              <Refusable refusal={refusal}>
                <Button component={Link} to={paths.start({ from: 'csv' })} variant="default">
                  Start from a CSV
                </Button>
              </Refusable>
            </div>
          </div>
        </li>
        <li className={classes.start}>
          <SchemaPicture />
          <div className={classes.text}>
            <h3>A schema</h3>
            <p>Paste a GSQL script, or type definitions as JSON from another server.</p>
            <div>
              <Button component={Link} to={paths.start({ from: 'schema' })} variant="default">
                Paste a schema
              </Button>
            </div>
          </div>
        </li>
      </ul>
    </section>
  )
}

const RING_SIZE = 8

/** Accounts that use one device, and transfers that go round. */
function RingPicture() {
  const places = Array.from({ length: RING_SIZE }, (_, at) => {
    const angle = (2 * Math.PI * at) / RING_SIZE
    return { x: 210 + 78 * Math.cos(angle), y: 100 + 72 * Math.sin(angle) }
  })
  return (
    <svg className={classes.picture} viewBox="0 0 420 200" aria-hidden="true">
      {places.map(({ x, y }, at) => {
        const next = places[(at + 1) % RING_SIZE] ?? places[0]
        return (
          <g key={`${x} ${y}`}>
            <path d={`M${x} ${y}L210 100`} className={classes.uses} />
            <path d={`M${x} ${y}L${next?.x} ${next?.y}`} className={classes.transfer} />
          </g>
        )
      })}
      {places.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="12" className={classes.account} />
      ))}
      <circle cx="210" cy="100" r="8" className={classes.device} />
    </svg>
  )
}

const rows = [
  ['id', 'name', 'country'],
  ['a-184', 'Dana', 'JP'],
  ['a-185', 'Ada', 'GB'],
  ['a-186', 'Jun', 'ZA'],
] as const

function TablePicture() {
  return (
    <svg className={classes.picture} viewBox="0 0 420 200" aria-hidden="true">
      <rect x="60" y="28" width="300" height="144" rx="8" className={classes.card} />
      {rows.map((cells, at) => (
        <g key={cells[0]}>
          {at > 0 && <path d={`M60 ${28 + 36 * at}h300`} className={classes.rule} />}
          {cells.map((cell, column) => (
            <text
              key={cell}
              x={80 + 100 * column}
              y={51 + 36 * at}
              className={at === 0 ? classes.head : classes.cell}
            >
              {cell}
            </text>
          ))}
        </g>
      ))}
    </svg>
  )
}

const types = [
  { name: 'Shopper', attributes: ['id', 'email', 'since'], x: 48, y: 34, slot: 1 },
  { name: 'Product', attributes: ['sku', 'price'], x: 252, y: 84, slot: 4 },
] as const

function SchemaPicture() {
  return (
    <svg className={classes.picture} viewBox="0 0 420 200" aria-hidden="true">
      <path d="M168 78h30a12 12 0 0 1 12 12v20a12 12 0 0 0 12 12h30" className={classes.edge} />
      {types.map(({ name, attributes, x, y, slot }) => (
        <g key={name} transform={`translate(${x} ${y})`}>
          <rect width="120" height={34 + 24 * attributes.length} rx="8" className={classes.card} />
          <path d="M4 1h112" stroke={`var(--q-t${slot})`} strokeWidth="3" strokeLinecap="round" />
          <text x="14" y="23" className={classes.head}>
            {name}
          </text>
          {attributes.map((attribute, at) => (
            <text key={attribute} x="14" y={48 + 24 * at} className={classes.cell}>
              {attribute}
            </text>
          ))}
        </g>
      ))}
    </svg>
  )
}
