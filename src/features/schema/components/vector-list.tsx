/** Vector attributes of a vertex type: what there is, one row to add another. */
import { ActionIcon, Button, NativeSelect, TextInput, Tooltip } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { counted } from '#lib/format.ts'
import type { VectorModel, VertexModel } from '#lib/graph-schema/schema-model.ts'
import { NumberField } from '#ui/inputs/number-field.tsx'
import { attributeNameProblem } from '../model/names.ts'
import { type NewVector, VECTOR_DIMENSION_MAX, vectorMetrics } from '../model/vector-operations.ts'
import { CommitField } from './commit-field.tsx'
import classes from './schema.module.css'
import { type Apply, useRefusal } from './use-refusal.ts'
import { useRowKeys } from './use-row-keys.ts'

interface VectorListProps {
  readonly vertex: VertexModel
  readonly apply: Apply
}

export function VectorList({ vertex, apply }: VectorListProps) {
  const { run, refusal } = useRefusal(apply)
  const [isAdding, setIsAdding] = useState(false)
  const { name, vectors = [] } = vertex
  const keys = useRowKeys(vectors.map((vector) => vector.name))
  const add = (vector: NewVector) => {
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
      {vectors.length > 0 && (
        <ul className={classes['attributes']}>
          {vectors.map((vector, place) => (
            <VectorRow key={keys[place]} vertex={vertex} vector={vector} apply={apply} />
          ))}
        </ul>
      )}
      {vectors.some(({ isNew }) => !isNew) && (
        <p className={classes['hint']}>
          How many numbers, and the metric, stay as published. For others, add a new vector and load
          it.
        </p>
      )}
      {isAdding && <VectorForm onAdd={add} />}
      {refusal !== null && (
        <p className={classes['refusal']} role="alert">
          {refusal}
        </p>
      )}
    </section>
  )
}

interface VectorRowProps extends VectorListProps {
  readonly vector: VectorModel
}

function VectorRow({ vertex, vector, apply }: VectorRowProps) {
  const { name } = vertex
  const { name: called, dimension, metric, publishedAs } = vector
  const drop = `Drop vector ${called}`
  return (
    <li>
      <div className={classes['vectorFields']}>
        <CommitField
          isCell
          label={`Name of vector ${called}`}
          value={called}
          problemOf={(text) => attributeNameProblem(vertex, text, called)}
          onCommit={(to) => apply({ kind: 'renameVector', name, vector: called, to })}
        />
        <span className={classes['fixedDefault']}>
          {counted(dimension, 'number', 'numbers')}, {metric}
        </span>
        <Tooltip label={drop}>
          <ActionIcon
            aria-label={drop}
            onClick={() => apply({ kind: 'dropVector', name, vector: called })}
          >
            <Trash2 size={14} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </div>
      {publishedAs !== undefined && (
        <p className={classes['hint']}>Published as {publishedAs}: its values stay.</p>
      )}
    </li>
  )
}

function VectorForm({ onAdd }: { readonly onAdd: (vector: NewVector) => void }) {
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
