/** From a CSV file to a graph: its columns become a vertex type, and the Data page loads it. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRefusal } from '#api/rights.ts'
import { createGraph } from '#contract/schema.ts'
import { type CsvShape, sniffCsv } from '#lib/csv/csv-sniff.ts'
import { sampleText, useFileStart } from '#lib/csv/file-sample.ts'
import { sniffEncoding } from '#lib/csv/text-decoding.ts'
import { counted, formatBytes } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { handover } from '#lib/storage/handover.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { FileDrop } from '#ui/inputs/file-drop.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { useMakeGraph } from '../api/start.ts'
import {
  type CsvPlan,
  columnTypes,
  idTypeOf,
  type PlannedColumn,
  planFor,
  planProblems,
  repeatedIds,
  schemaOf,
} from '../model/csv-plan.ts'
import classes from '../start-page.module.css'

interface CsvStartProps {
  /** Names that a new graph cannot have. */
  readonly graphs: readonly string[]
}

export function CsvStart({ graphs }: CsvStartProps) {
  const [file, setFile] = useState<File | null>(null)
  return (
    <div className={classes.way}>
      {file === null ? (
        <FileDrop
          label="CSV file"
          text="Drop a CSV file here: its columns become a vertex type."
          hint="You see names and types before anything is made, and nothing leaves this browser until you load it."
          accept=".csv,.tsv,.txt"
          onFile={setFile}
        />
      ) : (
        <>
          <p className={classes.file}>
            <strong>{file.name}</strong>
            <span className={classes.note}>{formatBytes(file.size)}</span>
            <Button variant="default" onClick={() => setFile(null)}>
              Other file
            </Button>
          </p>
          <Sniffed file={file} graphs={graphs} />
        </>
      )}
    </div>
  )
}

interface SniffedProps extends CsvStartProps {
  readonly file: File
}

function Sniffed({ file, graphs }: SniffedProps) {
  const start = useFileStart(file)
  const [known, setKnown] = useState({})
  if (start === null) return <Loading what={file.name} rows={4} />
  if (start instanceof Error) return <ErrorNotice error={start} title="The file cannot be read" />
  const text = sampleText(start, sniffEncoding(start), file)
  if (text.includes('\0')) return <EmptyState text={`${file.name} is no text.`} />
  const shape = sniffCsv(text, known)
  if (shape.columns.length === 0) return <EmptyState text={`${file.name} is empty.`} />
  return (
    <>
      <Checkbox
        label="The first row is a header"
        checked={shape.hasHeader}
        onChange={(event) => setKnown({ hasHeader: event.currentTarget.checked })}
      />
      <Plan key={String(shape.hasHeader)} {...{ file, graphs, shape }} />
    </>
  )
}

interface PlanProps extends SniffedProps {
  readonly shape: CsvShape
}

function Plan({ file, graphs, shape }: PlanProps) {
  const navigate = useNavigate()
  const [plan, setPlan] = useState(() => planFor(file.name, shape))
  const make = useMakeGraph()
  const problems = planProblems(plan, graphs)
  const repeated = repeatedIds(shape, plan.idColumn)
  const submit = () =>
    make.mutate(
      { graph: plan.graph, schema: schemaOf(plan) },
      {
        onSuccess: () => {
          handover.give(plan.graph, { file, hasHeader: shape.hasHeader })
          void navigate(paths.data(plan.graph))
        },
      },
    )
  return (
    <form
      className={classes.way}
      onSubmit={(event) => {
        event.preventDefault()
        if (problems.size === 0) submit()
      }}
    >
      <div className={classes.fields}>
        <TextInput
          label="Graph"
          value={plan.graph}
          error={problems.get('graph')}
          spellCheck={false}
          onChange={(event) => setPlan({ ...plan, graph: event.currentTarget.value })}
        />
        <TextInput
          label="Vertex type: one row is one"
          value={plan.typeName}
          error={problems.get('typeName')}
          spellCheck={false}
          onChange={(event) => setPlan({ ...plan, typeName: event.currentTarget.value })}
        />
        <NativeSelect
          label="Id column"
          value={String(plan.idColumn)}
          data={shape.columns.map(({ name }, place) => ({ value: String(place), label: name }))}
          onChange={(event) => setPlan({ ...plan, idColumn: Number(event.currentTarget.value) })}
        />
      </div>
      {repeated > 0 && (
        <p className={classes.warning} role="status">
          {counted(repeated, 'row', 'rows')} of the first {shape.rows.length} share an id with
          another or have none: a later row overwrites an earlier one.
        </p>
      )}
      <Columns {...{ plan, shape, problems }} onChange={setPlan} />
      {make.isError && <ErrorNotice error={make.error} title="The graph was not made" />}
      <Refusable refusal={useRefusal(createGraph, '')}>
        <Button type="submit" disabled={problems.size > 0} loading={make.isPending}>
          Create the graph, then check the load
        </Button>
      </Refusable>
    </form>
  )
}

interface ColumnsProps {
  readonly plan: CsvPlan
  readonly shape: CsvShape
  readonly problems: ReturnType<typeof planProblems>
  readonly onChange: (plan: CsvPlan) => void
}

function Columns({ plan, shape, problems, onChange }: ColumnsProps) {
  const set = (place: number, change: Partial<PlannedColumn>) =>
    onChange({
      ...plan,
      columns: plan.columns.map((column, at) => (at === place ? { ...column, ...change } : column)),
    })
  return (
    <table className={classes.columns} aria-label="Columns">
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">Attribute</th>
          <th scope="col">Type</th>
          <th scope="col">Such as</th>
        </tr>
      </thead>
      <tbody>
        {plan.columns.map((column, place) => {
          const { name, samples } = shape.columns[place] as CsvShape['columns'][number]
          const isId = place === plan.idColumn
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
            <tr key={place}>
              <th scope="row">
                <Checkbox
                  label={name}
                  checked={column.isKept || isId}
                  disabled={isId}
                  onChange={(event) => set(place, { isKept: event.currentTarget.checked })}
                />
              </th>
              <td>
                <TextInput
                  aria-label={`Attribute for ${name}`}
                  value={column.attribute}
                  error={problems.get(place)}
                  spellCheck={false}
                  onChange={(event) => set(place, { attribute: event.currentTarget.value })}
                />
              </td>
              <td>
                <NativeSelect
                  aria-label={`Type of ${name}`}
                  value={isId ? idTypeOf(column) : column.type}
                  data={isId ? ['STRING', 'INT'] : [...columnTypes]}
                  onChange={(event) =>
                    set(place, { type: event.currentTarget.value as PlannedColumn['type'] })
                  }
                />
              </td>
              <td className={classes.samples}>{samples.join(', ')}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
