/** How one kind of neighbour reads: the edge type, which way it goes, the type at the other end. */
import { ArrowLeft, ArrowRight, Minus } from 'lucide-react'
import type { DegreeRow, Direction } from '../model/scene.ts'
import classes from './inspector.module.css'

const arrows: Readonly<Record<Direction, { icon: typeof Minus; words: string }>> = {
  out: { icon: ArrowRight, words: 'to' },
  in: { icon: ArrowLeft, words: 'from' },
  undirected: { icon: Minus, words: 'with' },
}

export function kindWords({ edgeType, direction, targetType }: DegreeRow): string {
  return `${edgeType} ${arrows[direction].words} ${targetType}`
}

export function KindName({ row }: { readonly row: DegreeRow }) {
  const { icon: Arrow, words } = arrows[row.direction]
  return (
    <span className={classes.kindName}>
      <span>{row.edgeType}</span>
      <span className={classes.kindEnd}>
        <Arrow size={12} aria-label={words} />
        <span>{row.targetType}</span>
      </span>
    </span>
  )
}
