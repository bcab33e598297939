/** Several steps from the selection at once: what they would bring is counted before it is drawn. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { counted, formatCount } from '#lib/format.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice, messageOf } from '#ui/feedback/states.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { fetchStepRows, fetchSteps, type StepCount, stepCountsQuery } from '../api/expand-steps.ts'
import { vertexLabel } from '../model/canvas-scene.ts'
import {
  anyStep,
  directions,
  type ExpandStep,
  planSteps,
  STEP_ROWS_MAX,
  STEPS_MAX,
  type StepPlan,
} from '../model/expand-steps.ts'
import {
  parseVertexKey,
  SCENE_EDGES_MAX,
  SCENE_VERTICES_MAX,
  type SceneVertex,
} from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './steps-dialog.module.css'

const COUNT_DELAY_MS = 400

interface StepsDialogProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly onClose: () => void
}

export function StepsDialog({ graph, explorer, onClose }: StepsDialogProps) {
  const [start] = useState(() =>
    explorer.selection.filter((key) => explorer.scene.vertices.has(key)),
  )
  const [steps, setSteps] = useState<readonly ExpandStep[]>([anyStep])
  const schema = useQuery(graphSchemaQuery(graph)).data
  const plans = useMemo(() => {
    const types = start.map((key) => parseVertexKey(key).type)
    return schema === undefined ? [] : planSteps(schema, types, steps)
  }, [schema, start, steps])
  const isSound = plans.length > 0 && plans.every(({ problem }) => problem === null)
  const [settled] = useDebouncedValue(plans, COUNT_DELAY_MS)
  const request = { graph, start, plans }
  const isSettled = settled === plans
  const counts = useQuery({ ...stepCountsQuery(request), enabled: isSound && isSettled })
  const drawing = useMutation({
    mutationFn: async () => {
      const found = await fetchSteps(request)
      explorer.addFound(`Expand ${counted(steps.length, 'step', 'steps')}`, found)
    },
    onSuccess: onClose,
  })
  const listing = useMutation({ mutationFn: () => fetchStepRows(request) })
  const change = (next: readonly ExpandStep[]) => {
    setSteps(next)
    drawing.reset()
    listing.reset()
  }
  const isFull = counts.data !== undefined && !hasRoom(counts.data)
  return (
    <Dialog opened onClose={onClose} title="Expand steps" size="lg">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isSound && !isFull) drawing.mutate()
        }}
      >
        <p className={classes.note}>
          From the selection: {counted(start.length, 'vertex', 'vertices')}
        </p>
        {steps.map((step, at) => (
          <Step
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is what its place is.
            key={at}
            number={at + 1}
            step={step}
            plan={plans[at]}
            told={isSound ? (isSettled && toldOf(counts, at)) || 'Counting…' : ''}
            onChange={(next) => change(steps.with(at, next))}
          />
        ))}
        {isFull && (
          <p className={classes.problem} role="alert">
            More than the canvas holds: {formatCount(SCENE_VERTICES_MAX)} vertices,{' '}
            {formatCount(SCENE_EDGES_MAX)} edges. List them, or narrow the steps.
          </p>
        )}
        {drawing.isError && <ErrorNotice title="Nothing was drawn" error={drawing.error} />}
        {listing.isError && <ErrorNotice title="They could not be listed" error={listing.error} />}
        <div className={classes.actions}>
          <Button
            variant="default"
            disabled={steps.length === STEPS_MAX}
            onClick={() => change([...steps, anyStep])}
          >
            Add a step
          </Button>
          <Button
            variant="default"
            disabled={steps.length === 1}
            onClick={() => change(steps.slice(0, -1))}
          >
            Remove step {steps.length}
          </Button>
          <span className={classes.go}>
            <Button
              variant="default"
              disabled={!isSound}
              loading={listing.isPending}
              onClick={() => listing.mutate()}
            >
              List
            </Button>
            <Button type="submit" disabled={!isSound || isFull} loading={drawing.isPending}>
              Draw
            </Button>
          </span>
        </div>
      </form>
      {listing.data !== undefined && <Rows rows={listing.data} />}
    </Dialog>
  )
}

function hasRoom(counts: readonly (StepCount | undefined)[]): boolean {
  let [vertices, edges] = [0, 0]
  for (const count of counts) {
    if (count === undefined) return false
    vertices += count.vertices
    edges += count.edges
  }
  return vertices <= SCENE_VERTICES_MAX && edges <= 2 * SCENE_EDGES_MAX
}

interface Counting {
  readonly data: readonly (StepCount | undefined)[] | undefined
  readonly error: unknown
}

/** Null: not known yet. */
function toldOf({ data, error }: Counting, at: number): string | null {
  if (data === undefined) return error ? `Not counted: ${messageOf(error)}` : null
  const count = data[at]
  if (count === undefined) return 'Not counted: the step before reaches too many.'
  const { vertices, edges } = count
  // Broken at the comma alone.
  const by = `by ${counted(edges, 'edge', 'edges')}`.replaceAll(' ', '\u00a0')
  return `${counted(vertices, 'more vertex', 'more vertices')}, ${by}`
}

interface StepProps {
  readonly number: number
  readonly step: ExpandStep
  readonly plan: StepPlan | undefined
  readonly told: string
  readonly onChange: (step: ExpandStep) => void
}

const directionWords = { any: 'either way', out: 'along the edge', in: 'against the edge' }

function Step({ number, step, plan, told, onChange }: StepProps) {
  return (
    <fieldset className={classes.step}>
      <legend>Step {number}</legend>
      <Choice
        label="Edges"
        isFirst={number === 1}
        all={plan?.edgeTypes ?? []}
        chosen={step.edgeTypes}
        onChange={(edgeTypes) => onChange({ ...step, edgeTypes })}
      />
      <NativeSelect
        aria-label={`Direction of step ${number}`}
        value={step.direction}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...step, direction: value as ExpandStep['direction'] })
        }
        data={directions.map((value) => ({ value, label: directionWords[value] }))}
      />
      <Choice
        label="To"
        all={plan?.targetTypes ?? []}
        chosen={step.targetTypes}
        onChange={(targetTypes) => onChange({ ...step, targetTypes })}
      />
      <TextInput
        className={classes.condition ?? ''}
        aria-label={`Condition of step ${number}`}
        placeholder="attribute > value and …"
        value={step.condition}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, condition: value })}
        error={plan?.problem}
        spellCheck={false}
        autoComplete="off"
      />
      <p className={classes.note} role="status">
        {told}
      </p>
    </fieldset>
  )
}

interface ChoiceProps {
  readonly label: string
  /** Of the dialog: it has the focus when that opens. */
  readonly isFirst?: boolean
  readonly all: readonly string[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** What was chosen and fits no more stays to be taken back. */
function Choice({ label, isFirst, all, chosen, onChange }: ChoiceProps) {
  return (
    <details className={classes.choice}>
      <summary data-autofocus={isFirst || undefined}>
        {label}: {chosen.length === 0 ? 'any' : chosen.join(', ')}
      </summary>
      {[...new Set([...all, ...chosen])].map((name) => (
        <Checkbox
          key={name}
          size="xs"
          label={name}
          checked={chosen.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
          }
        />
      ))}
    </details>
  )
}

function Rows({ rows }: { readonly rows: readonly SceneVertex[] }) {
  return (
    <div className={classes.rows}>
      {rows.length === STEP_ROWS_MAX && (
        <p className={classes.note}>The first {STEP_ROWS_MAX} vertices.</p>
      )}
      <DataTable
        label="Reached vertices"
        rows={rows}
        columns={columns}
        rowKey={({ key }) => key}
        emptyText="The steps reach nothing."
        maxHeight="40vh"
      />
    </div>
  )
}

const columns: readonly Column<SceneVertex>[] = [
  {
    id: 'type',
    header: 'Type',
    cell: ({ type }) => <TypeTag name={type} />,
    sortValue: ({ type }) => type,
  },
  { id: 'id', header: 'Id', cell: ({ id }) => id, sortValue: ({ id }) => id },
  { id: 'label', header: 'Label', cell: vertexLabel, sortValue: vertexLabel },
]
