/** The few questions a new edge type needs; everything else is changed in the inspector. */
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { typeNameProblem } from '../model/names.ts'
import { edgeNameFor, newEdge } from '../model/new-type.ts'
import type { Operation } from '../model/operations.ts'
import classes from './schema.module.css'

interface NewEdgeDialogProps {
  readonly schema: SchemaModel
  /** The ends to start with; null: the dialog is closed. */
  readonly pair: EdgePairModel | null
  readonly apply: (operation: Operation) => string | null
  readonly onDone: (name: string) => void
  readonly onClose: () => void
}

export function NewEdgeDialog(props: NewEdgeDialogProps) {
  const { pair, onClose } = props
  return (
    <Dialog opened={pair !== null} onClose={onClose} title="New edge type">
      {pair !== null && <NewEdgeForm {...props} pair={pair} />}
    </Dialog>
  )
}

function NewEdgeForm(props: NewEdgeDialogProps & { readonly pair: EdgePairModel }) {
  const { schema, apply, onDone, onClose } = props
  const [pair, setPair] = useState(props.pair)
  const [typedName, setTypedName] = useState<string | null>(null)
  const [directed, setDirected] = useState(true)
  const [hasReverse, setHasReverse] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const name = typedName ?? edgeNameFor(schema, pair)
  const problem = typeNameProblem(schema, name) ?? refusal
  const names = schema.vertices.map((vertex) => vertex.name)
  const submit = () => {
    const type = newEdge(schema, { name, pair, directed, hasReverse })
    const refused = apply({ kind: 'addType', type })
    setRefusal(refused)
    if (refused === null) onDone(name)
  }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (typeNameProblem(schema, name) === null) submit()
      }}
    >
      <div className={classes['pair']}>
        <Select
          label="From"
          data={names}
          searchable
          value={pair.from}
          onChange={(from) => from !== null && setPair({ ...pair, from })}
        />
        <Select
          label="To"
          data={names}
          searchable
          data-autofocus
          value={pair.to}
          onChange={(to) => to !== null && setPair({ ...pair, to })}
        />
      </div>
      <TextInput
        label="Name"
        value={name}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setRefusal(null)
          setTypedName(event.currentTarget.value)
        }}
      />
      <Switch
        label="Directed"
        checked={directed}
        onChange={(event) => setDirected(event.currentTarget.checked)}
      />
      <Switch
        label="With a reverse edge"
        checked={directed && hasReverse}
        disabled={!directed}
        onChange={(event) => setHasReverse(event.currentTarget.checked)}
      />
      <footer className={classes['formActions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={problem !== null}>
          Add edge type
        </Button>
      </footer>
    </form>
  )
}
