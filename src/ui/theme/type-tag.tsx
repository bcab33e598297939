/** The name of a vertex or edge type with its colour and shape, the same on every page. */
import { type TypeShape, useTypeMark } from './type-color.tsx'
import classes from './type-tag.module.css'

const outlines: Readonly<Record<TypeShape, string>> = {
  ellipse: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Z',
  'round-rectangle': 'M2.5 1.5h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z',
  diamond: 'M6 .5 11.5 6 6 11.5.5 6Z',
  hexagon: 'M3.2 1.2h5.6L11.6 6l-2.8 4.8H3.2L.4 6Z',
  'round-triangle': 'M6 1 11.4 10.6H.6Z',
  pentagon: 'M6 .6 11.6 4.7 9.5 11.2h-7L.4 4.7Z',
}

interface TypeTagProps {
  readonly name: string
  readonly kind?: 'vertex' | 'edge'
}

export function TypeTag({ name, kind = 'vertex' }: TypeTagProps) {
  const mark = useTypeMark()(name)
  return (
    <span className={classes.tag}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className={classes.mark}>
        {kind === 'vertex' ? (
          <path d={outlines[mark.shape]} fill={mark.color} />
        ) : (
          <path d="M0 6h8M5.5 2.5 9.5 6l-4 3.5" fill="none" stroke={mark.color} strokeWidth="2" />
        )}
      </svg>
      <span className={classes.name}>{name}</span>
    </span>
  )
}
