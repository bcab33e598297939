/** The name of a vertex or edge type with its colour and icon, the same on every page. */
import { Icon } from 'lucide-react'
import { useTypeMark } from './type-color.tsx'
import classes from './type-tag.module.css'

interface TypeTagProps {
  readonly name: string
  readonly kind?: 'vertex' | 'edge'
  /** Of an edge type. */
  readonly directed?: boolean
}

export function TypeTag({ name, kind = 'vertex', directed = true }: TypeTagProps) {
  const { color, icon, initials } = useTypeMark()(name)
  return (
    <span className={classes.tag}>
      {kind === 'vertex' ? (
        <span className={classes.disc} style={{ background: color }} aria-hidden="true">
          {icon === null ? initials : <Icon iconNode={icon} size={11} strokeWidth={2.2} />}
        </span>
      ) : (
        <svg
          className={classes.line}
          width="18"
          height="15"
          viewBox="0 0 18 15"
          fill="none"
          stroke={color}
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M2 7.5h13" />
          {directed && <path d="m11 3.5 4.2 4-4.2 4" />}
        </svg>
      )}
      <span className={classes.name}>{name}</span>
    </span>
  )
}
