/** Which vertex types an edge type joins: a matrix while it is small, else a list and a matrix on demand. */
import { ActionIcon, Button, Select, Tooltip } from '@mantine/core'
import { ArrowRight, Grid3x3, Minus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { isSamePair, withoutPair } from '../model/pairs.ts'
import { PairMatrix, type PairProps } from './pair-matrix.tsx'
import classes from './schema.module.css'

interface PairEditorProps extends PairProps {
  /** What the pairs chosen cost, or why they were refused: said in the dialog, too. */
  readonly note: ReactNode
}

/** As many columns as fit beside their names. */
const INLINE_TYPES_MAX = 4

export function PairEditor(props: PairEditorProps) {
  const { edge, schema, note } = props
  const [isOpen, setOpen] = useState(false)
  if (schema.vertices.length <= INLINE_TYPES_MAX) return <PairMatrix {...props} />
  return (
    <>
      <PairList {...props} />
      <Button
        variant="default"
        leftSection={<Grid3x3 size={13} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Choose in a matrix
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Pairs of ${edge.name}`}
        size="auto"
      >
        <div className={classes['form']}>
          <PairMatrix {...props} isWide />
          <div className={classes['matrixNote']}>{note}</div>
        </div>
      </Dialog>
    </>
  )
}

function PairList({ edge, schema, onChange }: PairProps) {
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

function NewPair({ edge, schema, onChange }: PairProps) {
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
