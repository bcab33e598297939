/** Which attribute to index: only those that can be are offered. */
import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { counted } from '#lib/format.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { EmptyState, ErrorNotice } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { useCreateIndex } from '../api/indexes.ts'
import { type IndexRow, indexChoices, indexNameProblem, suggestedName } from '../model/indexes.ts'
import classes from './indexes.module.css'

interface CreateIndexDialogProps {
  readonly graph: string
  readonly opened: boolean
  readonly schema: SchemaModel
  readonly rows: readonly IndexRow[]
  /** Live vertices per type; absent until they are read. */
  readonly counts: ReadonlyMap<string, number> | undefined
  readonly onClose: () => void
}

export function CreateIndexDialog(props: CreateIndexDialogProps) {
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title="New index">
      <CreateIndexForm {...props} />
    </Dialog>
  )
}

function CreateIndexForm({ graph, schema, rows, counts, onClose }: CreateIndexDialogProps) {
  const choices = indexChoices(schema, rows)
  const [typeName, setTypeName] = useState(choices[0]?.vertexType ?? '')
  const [attributeName, setAttributeName] = useState<string | null>(null)
  const [typedName, setTypedName] = useState<string | null>(null)
  const create = useCreateIndex(graph)
  const choice = choices.find(({ vertexType }) => vertexType === typeName)
  if (choice === undefined) {
    return <EmptyState text="Every attribute that can be indexed has an index." />
  }
  const attribute =
    choice.attributes.find(({ name }) => name === attributeName) ?? choice.attributes[0]
  if (attribute === undefined) return null
  const name = typedName ?? suggestedName(typeName, attribute.name, rows)
  const problem = indexNameProblem(name, rows)
  const submit = () =>
    create.mutate(
      { name, vertexType: typeName, attribute: attribute.name },
      {
        onSuccess: () => {
          notify(`Index ${name} on ${typeName}.${attribute.name} is there`)
          onClose()
        },
      },
    )
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null) submit()
      }}
    >
      <Select
        label="Vertex type"
        searchable
        data={choices.map(({ vertexType }) => vertexType)}
        value={typeName}
        onChange={(value) => value !== null && setTypeName(value)}
      />
      <Select
        label="Attribute"
        description="INT, UINT, FLOAT, DOUBLE, BOOL, STRING and DATETIME can be indexed."
        searchable
        data={choice.attributes.map((one) => ({
          value: one.name,
          label: `${one.name} (${one.type})`,
        }))}
        value={attribute.name}
        onChange={setAttributeName}
      />
      <TextInput
        label="Name"
        value={name}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTypedName(event.currentTarget.value)}
      />
      <p className={classes['cost']}>{costText(counts?.get(typeName))}</p>
      {create.isError && <ErrorNotice error={create.error} title="The index was not created" />}
      <footer className={classes['actions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={problem !== null} loading={create.isPending}>
          Create index
        </Button>
      </footer>
    </form>
  )
}

function costText(count: number | undefined): string {
  if (count === undefined || count === 0) return 'Filters use the index as soon as it is there.'
  return `Building it reads ${counted(count, 'vertex', 'vertices')} once; then filters use it.`
}
