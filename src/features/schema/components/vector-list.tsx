/** Vector attributes of a vertex type: what there is, one row to add another. */
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { counted } from '#lib/format.ts'
import type { VectorModel, VertexModel } from '#lib/graph-schema/schema-model.ts'
import { NumberField } from '#ui/number-field.tsx'
import { VECTOR_DIMENSION_MAX, vectorMetrics } from '../model/vector-operations.ts'
import classes from './schema.module.css'
import { type Apply, useRefusal } from './use-refusal.ts'

interface VectorListProps {
  readonly vertex: VertexModel
  readonly apply: Apply
}

export function VectorList({ vertex, apply }: VectorListProps) {
  const { run, refusal } = useRefusal(apply)
  const [isAdding, setIsAdding] = useState(false)
  const { name, vectors = [] } = vertex
  const add = (vector: VectorModel) => {
    if (run({ kind: 'addVector', name, vector }) === null) setIsAdding(false)
  }
  return (
    <section className={classes['part']} aria-label="Vectors">
      <header className={classes['partHeader']}>
        <h3>Vectors</h3>
        <Button variant="subtle" onClick={() => setIsAdding(!isAdding)}>
          {isAdding ? 'Cancel' : 'Add vector'}
        </Button>
      </header>
      {vectors.map((vector) => (
        <p key={vector.name} className={classes['fact']}>
          {factOf(vector)}{' '}
          <Button
            variant="subtle"
            color="red"
            size="compact-xs"
            aria-label={`Drop vector ${vector.name}`}
            onClick={() => run({ kind: 'dropVector', name, vector: vector.name })}
          >
            Drop
          </Button>
        </p>
      ))}
      {isAdding && <VectorForm onAdd={add} />}
      {refusal !== null && (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
    </section>
  )
}

function factOf({ name, dimension, metric }: VectorModel): string {
  return `${name}: ${counted(dimension, 'number', 'numbers')}, ${metric}`
}

function VectorForm({ onAdd }: { readonly onAdd: (vector: VectorModel) => void }) {
  const [name, setName] = useState('')
  const [dimension, setDimension] = useState<number | undefined>()
  const [metric, setMetric] = useState<string>('COSINE')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // After Enter in the field, what is typed may be no number that counts.
    if (event.currentTarget.querySelector('[aria-invalid="true"]') !== null) return
    if (dimension !== undefined) onAdd({ name: name.trim(), dimension, metric })
  }
  return (
    <form className={classes['form']} onSubmit={submit}>
      <TextInput
        label="Vector name"
        value={name}
        spellCheck={false}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberField
        label="Numbers"
        min={1}
        max={VECTOR_DIMENSION_MAX}
        optional
        value={dimension}
        onChange={setDimension}
      />
      <NativeSelect
        label="Metric"
        data={[...vectorMetrics]}
        value={metric}
        onChange={(event) => setMetric(event.currentTarget.value)}
      />
      <Button type="submit" disabled={name.trim() === '' || dimension === undefined}>
        Add
      </Button>
    </form>
  )
}
