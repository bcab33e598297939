/** Attributes as name and value, with 64-bit integers and collections shown whole. */
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import classes from './inspector.module.css'

interface AttributeListProps {
  readonly attributes: Readonly<Record<string, unknown>>
}

export function AttributeList({ attributes }: AttributeListProps) {
  const entries = Object.entries(attributes)
  if (entries.length === 0) return <p className={classes.note}>No attributes.</p>
  return (
    <dl className={classes.attributes}>
      {entries.map(([name, value]) => (
        <div key={name} className={classes.attribute}>
          <dt>{name}</dt>
          <dd>{attributeText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function attributeText(value: unknown): string {
  if (value === undefined) return '–'
  if (typeof value === 'string') return value === '' ? '""' : value
  if (typeof value === 'object' && value !== null) {
    return stringifyLossless(value)
  }
  return String(value)
}
