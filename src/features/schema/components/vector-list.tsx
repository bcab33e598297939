/** Vector attributes of a vertex type: they are added and dropped by GSQL. */
import type { VectorModel } from '#lib/graph-schema/schema-model.ts'
import classes from './schema.module.css'

export function VectorList({ vectors }: { readonly vectors: readonly VectorModel[] }) {
  if (vectors.length === 0) return null
  return (
    <section className={classes['part']} aria-label="Vectors">
      <header className={classes['partHeader']}>
        <h3>Vectors</h3>
      </header>
      {vectors.map(({ name, dimension, metric }) => (
        <p key={name} className={classes['fact']}>
          {`${name}: ${dimension.toLocaleString()} ${dimension === 1 ? 'number' : 'numbers'}, ${metric}`}
        </p>
      ))}
    </section>
  )
}
