/** Makes the edge type that a file's rows are edges of, so that nobody has to leave the file for it. */
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { changeSchema } from '#contract/schema.ts'
import type { CsvColumn } from '#lib/csv/csv-sniff.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { useMakeEdgeType } from '../api/edge-type.ts'
import {
  type EdgePlan,
  edgePlanMapping,
  edgePlanProblem,
  edgeTypeOf,
  planEdges,
} from '../model/edge-plan.ts'
import type { Mapping } from '../model/mapping.ts'
import classes from './data.module.css'

interface NewEdgeTypeProps {
  readonly graph: string
  readonly schema: SchemaModel
  readonly fileName: string
  readonly columns: readonly CsvColumn[]
  /** The type is there, and this is how the file fills it. */
  readonly onMade: (mapping: Mapping) => void
}

export function NewEdgeType(props: NewEdgeTypeProps) {
  const { graph, columns } = props
  const [opened, setOpened] = useState(false)
  const refusal = useRefusal(changeSchema, graph)
  // An edge has two ends, each in a column of its own.
  if (columns.length < 2) return null
  return (
    <>
      <Refusable refusal={refusal}>
        <Button variant="default" onClick={() => setOpened(true)}>
          New edge type
        </Button>
      </Refusable>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="New edge type">
        {opened && <EdgeTypeForm {...props} onClose={() => setOpened(false)} />}
      </Dialog>
    </>
  )
}

function EdgeTypeForm(props: NewEdgeTypeProps & { readonly onClose: () => void }) {
  const { graph, schema, fileName, columns, onMade, onClose } = props
  const [plan, setPlan] = useState(() => planEdges(schema, fileName, columns))
  const make = useMakeEdgeType(graph)
  const problem = make.isPending ? null : edgePlanProblem(schema, plan)
  const type = edgeTypeOf(plan, columns)
  const change = (part: Partial<EdgePlan>) => setPlan({ ...plan, ...part })
  const attributes = type.Attributes.map(
    ({ AttributeName, AttributeType }) => `${AttributeName} (${AttributeType.Name})`,
  )
  const submit = () =>
    make.mutate(type, {
      onSuccess: () => {
        onMade(edgePlanMapping(schema, plan, columns))
        onClose()
      },
    })
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null && !make.isPending) submit()
      }}
    >
      <TextInput
        label="Name"
        value={plan.name}
        error={problem}
        spellCheck={false}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <EndFields
        label="From"
        {...{ schema, columns }}
        type={plan.from}
        column={plan.sourceColumn}
        onType={(from) => change({ from })}
        onColumn={(sourceColumn) => change({ sourceColumn })}
      />
      <EndFields
        label="To"
        {...{ schema, columns }}
        type={plan.to}
        column={plan.targetColumn}
        onType={(to) => change({ to })}
        onColumn={(targetColumn) => change({ targetColumn })}
      />
      <Switch
        label="Edges have a direction"
        checked={plan.directed}
        onChange={(event) => change({ directed: event.currentTarget.checked })}
      />
      <p className={classes['hint']}>
        {attributes.length === 0
          ? 'It has no attributes.'
          : `Attributes, from the other columns: ${attributes.join(', ')}.`}
      </p>
      {make.isError && <ErrorNotice error={make.error} title="The type was not created" />}
      <Button type="submit" disabled={problem !== null} loading={make.isPending}>
        Create {plan.name}
      </Button>
    </form>
  )
}

interface EndFieldsProps {
  readonly label: string
  readonly schema: SchemaModel
  readonly columns: readonly CsvColumn[]
  readonly type: string
  readonly column: number
  readonly onType: (type: string) => void
  readonly onColumn: (column: number) => void
}

function EndFields({ label, schema, columns, type, column, onType, onColumn }: EndFieldsProps) {
  return (
    <div className={classes['endFields']}>
      <Select
        label={label}
        data={schema.vertices.map(({ name }) => name)}
        searchable
        allowDeselect={false}
        value={type}
        onChange={(name) => name !== null && onType(name)}
      />
      <Select
        label={`${label}: column of the id`}
        data={columns.map(({ name }, place) => ({ value: String(place), label: name }))}
        searchable
        allowDeselect={false}
        value={String(column)}
        onChange={(place) => place !== null && onColumn(Number(place))}
      />
    </div>
  )
}
