/** From a CSV file to a graph: its columns become a vertex type, and the Data page loads it. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useRefusal } from '#api/rights.ts'
import { createGraph } from '#contract/schema.ts'
import { type CsvProfile, profileCsv } from '#lib/csv/csv-profile.ts'
import { type CsvShape, sniffCsv } from '#lib/csv/csv-sniff.ts'
import { isWholeFile, sampleText, useFileStart } from '#lib/csv/file-sample.ts'
import { type Encoding, sniffEncoding } from '#lib/csv/text-decoding.ts'
import { useFilePass } from '#lib/csv/use-file-pass.ts'
import { counted, formatBytes, formatCount, formatPercent } from '#lib/format.ts'
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
  targetsOf,
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
  const encoding = sniffEncoding(start)
  const text = sampleText(start, encoding, file)
  if (text.includes('\0')) return <EmptyState text={`${file.name} is no text.`} />
  const shape = sniffCsv(text, { ...known, isWhole: isWholeFile(file) })
  if (shape.columns.length === 0) return <EmptyState text={`${file.name} is empty.`} />
  return (
    <>
      <Checkbox
        label="The first row is a header"
        checked={shape.hasHeader}
        onChange={(event) => setKnown({ hasHeader: event.currentTarget.checked })}
      />
      <Profiled key={String(shape.hasHeader)} {...{ file, graphs, shape, encoding }} />
    </>
  )
}

interface ProfiledProps extends SniffedProps {
  readonly shape: CsvShape
  readonly encoding: Encoding
}

/** The types of the columns follow from all rows: those of the first may differ. */
function Profiled({ file, graphs, shape, encoding }: ProfiledProps) {
  const key = `${encoding} ${shape.delimiter} ${shape.hasHeader} ${shape.nullText}`
  const { result, share, error } = useFilePass(file, key, (onShare, signal) =>
    profileCsv(file, { ...shape, encoding }, onShare, signal),
  )
  if (error !== null) return <ErrorNotice error={error} title="The file cannot be read" />
  if (result === null) return <Loading what={`${file.name}: ${formatPercent(share)}`} rows={4} />
  const columns = shape.columns.map((column, place) => ({
    ...column,
    type: result.columns[place]?.type ?? column.type,
  }))
  return <Plan {...{ file, graphs, shape: { ...shape, columns }, profile: result }} />
}

interface PlanProps extends SniffedProps {
  readonly shape: CsvShape
  readonly profile: CsvProfile
}

function Plan({ file, graphs, shape, profile }: PlanProps) {
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
          const { delimiter, hasHeader, nullText } = shape
          const { typeName } = plan
          const reading = { delimiter, hasHeader, nullText, typeName, targets: targetsOf(plan) }
          handover.give(plan.graph, { file, reading })
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
      <Rejections profile={profile} />
      <Columns {...{ plan, shape, profile, problems }} onChange={setPlan} />
      {make.isError && <ErrorNotice error={make.error} title="The graph was not made" />}
      <Refusable refusal={useRefusal(createGraph, '')}>
        <Button type="submit" disabled={problems.size > 0} loading={make.isPending}>
          Create the graph, then check the load
        </Button>
      </Refusable>
    </form>
  )
}

function Rejections({ profile }: { readonly profile: CsvProfile }) {
  const { rows, damaged, short, long } = profile
  const parts = [
    ...(damaged > 0 ? [`${formatCount(damaged)} with a damaged quote`] : []),
    ...(short > 0 ? [`${formatCount(short)} with too few cells`] : []),
    ...(long > 0 ? [`${formatCount(long)} with too many cells`] : []),
  ]
  if (parts.length === 0) return null
  return (
    <p className={classes.warning} role="status">
      Of {counted(rows, 'row', 'rows')}: {parts.join(', ')}. The next page lists and mends them.
    </p>
  )
}

interface ColumnsProps {
  readonly plan: CsvPlan
  readonly shape: CsvShape
  readonly profile: CsvProfile
  readonly problems: ReturnType<typeof planProblems>
  readonly onChange: (plan: CsvPlan) => void
}

function Columns({ plan, shape, profile, problems, onChange }: ColumnsProps) {
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
          const near = profile.columns[place]?.near ?? null
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
              <td className={classes.samples}>
                {samples.join(', ')}
                {near !== null && (
                  <p className={classes.warning}>
                    {formatCount(near.count)} of{' '}
                    {counted(profile.columns[place]?.filled ?? 0, 'value', 'values')} are{' '}
                    {near.type}
                    {near.others.length > 0 && `, others: ${near.others.join(', ')}`}
                  </p>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
