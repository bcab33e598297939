/** In front of the name of what a draft renames: what it is published as. */
import type { Renamable } from '#lib/graph-schema/schema-model.ts'
import classes from './schema.module.css'

export function Renamed({ type }: { readonly type: Renamable }) {
  if (type.publishedAs === undefined) return null
  return (
    <span className={classes['wasName']}>
      <span>{type.publishedAs}</span> →
    </span>
  )
}
