/** Which vertex types an edge type joins: a matrix while it is small, else a list. */
import { ActionIcon, Button, Checkbox, Select, Tooltip } from '@mantine/core'
import { ArrowRight, Minus, X } from 'lucide-react'
import { useState } from 'react'
import type { EdgeModel, EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { isSamePair, withoutPair } from '../model/pairs.ts'
import classes from './schema.module.css'

interface PairEditorProps {
  readonly edge: EdgeModel
  readonly schema: SchemaModel
  readonly onChange: (pairs: readonly EdgePairModel[]) => void
}

/** As many columns as fit beside their names. */
const MATRIX_TYPES_MAX = 5

export function PairEditor(props: PairEditorProps) {
  return props.schema.vertices.length <= MATRIX_TYPES_MAX ? (
    <PairMatrix {...props} />
  ) : (
    <PairList {...props} />
  )
}

/** Rows are sources, columns are targets; a tick lets edges run from one to the other. */
function PairMatrix({ edge, schema, onChange }: PairEditorProps) {
  const names = schema.vertices.map(({ name }) => name)
  const has = (pair: EdgePairModel) => edge.pairs.some((one) => isSamePair(edge, one, pair))
  const toggle = (pair: EdgePairModel) =>
    onChange(has(pair) ? withoutPair(edge, pair) : [...edge.pairs, pair])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide matrix scrolls by keyboard.
    <section className={classes['matrix']} aria-label="Pairs of vertex types" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">from ↓ to →</th>
            {names.map((name) => (
              <th scope="col" key={name}>
                <span className={classes['matrixName']} title={name}>
                  {name}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((from) => (
            <tr key={from}>
              <th scope="row">
                <span className={classes['matrixName']} title={from}>
                  {from}
                </span>
              </th>
              {names.map((to) => (
                <td key={to}>
                  <Checkbox
                    aria-label={`${from} to ${to}`}
                    checked={has({ from, to })}
                    disabled={edge.pairs.length === 1 && has({ from, to })}
                    onChange={() => toggle({ from, to })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function PairList({ edge, schema, onChange }: PairEditorProps) {
  return (
    <section className={classes['pairs']} aria-label="Pairs of vertex types">
      <ul className={classes['list']}>
        {edge.pairs.map((pair) => (
          <li key={`${pair.from} ${pair.to}`} className={classes['pairRow']}>
            <span className={classes['pairName']} title={pair.from}>
              {pair.from}
            </span>
            <PairArrow directed={edge.directed} />
            <span className={classes['pairName']} title={pair.to}>
              {pair.to}
            </span>
            <Tooltip label="Remove this pair">
              <ActionIcon
                aria-label={`Remove ${pair.from} to ${pair.to}`}
                disabled={edge.pairs.length === 1}
                onClick={() => onChange(withoutPair(edge, pair))}
              >
                <X size={14} aria-hidden="true" />
              </ActionIcon>
            </Tooltip>
          </li>
        ))}
      </ul>
      <NewPair edge={edge} schema={schema} onChange={onChange} />
    </section>
  )
}

function PairArrow({ directed }: { readonly directed: boolean }) {
  const Icon = directed ? ArrowRight : Minus
  return <Icon size={13} role="img" aria-label={directed ? 'to' : 'and'} />
}

function NewPair({ edge, schema, onChange }: PairEditorProps) {
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const names = schema.vertices.map(({ name }) => name)
  const pair = from === null || to === null ? null : { from, to }
  const isThere = pair !== null && edge.pairs.some((one) => isSamePair(edge, one, pair))
  const add = () => {
    if (pair === null || isThere) return
    onChange([...edge.pairs, pair])
    setFrom(null)
    setTo(null)
  }
  return (
    <div className={classes['newPair']}>
      <Select
        aria-label="From"
        placeholder="From"
        searchable
        data={names}
        value={from}
        onChange={setFrom}
      />
      <Select
        aria-label="To"
        placeholder="To"
        searchable
        data={names}
        value={to}
        error={isThere ? 'It joins these already.' : null}
        onChange={setTo}
      />
      <Button variant="default" disabled={pair === null || isThere} onClick={add}>
        Add pair
      </Button>
    </div>
  )
}
