/** What a run printed: as tables, as JSON, as a graph; and how long it took where. */
import { Button, CopyButton } from '@mantine/core'
import { Copy, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatBytes, formatCount, formatDuration } from '#lib/format.ts'
import { stringifyLossless } from '#lib/lossless-json.ts'
import { usePreferences } from '#lib/preferences.ts'
import { type Column, DataTable } from '#ui/data-table.tsx'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import { Section } from '#ui/page.tsx'
import { EmptyState } from '#ui/states.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { RunAnswer } from '../api/queries.ts'
import { graphOf, partsOf, RESULT_VERTICES_MAX, type TablePart } from '../model/result.ts'
import classes from '../queries-page.module.css'

interface ResultsViewProps {
  readonly answer: RunAnswer
  readonly name: string
}

type ResultTab = 'table' | 'json' | 'graph'

export function ResultsView({ answer, name }: ResultsViewProps) {
  const [tab, setTab] = useState<ResultTab>('table')
  const json = useMemo(() => stringifyLossless(answer.printed, 2), [answer])
  const graph = useMemo(() => graphOf(answer.printed), [answer])
  return (
    <Tabs
      label="Result"
      layout="fill"
      value={tab}
      onChange={setTab}
      actions={<RunFacts answer={answer} json={json} name={name} />}
      tabs={[
        { id: 'table', label: 'Table', content: <Tables answer={answer} /> },
        { id: 'json', label: 'JSON', content: <pre className={classes.json}>{json}</pre> },
        {
          id: 'graph',
          label: `Graph ${graph.vertices.length || ''}`,
          disabled: graph.vertices.length === 0,
          content: <ResultCanvas graph={graph} name={name} />,
        },
      ]}
    />
  )
}

function RunFacts({ answer, json, name }: ResultsViewProps & { readonly json: string }) {
  const download = () => {
    const url = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <div className={classes.facts}>
      <span role="status">
        {formatDuration(answer.durationMs)} · {formatBytes(answer.sizeBytes)}
      </span>
      <CopyButton value={json}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={copy}
            leftSection={<Copy size={12} />}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={download}
        leftSection={<Download size={12} />}
      >
        Download
      </Button>
    </div>
  )
}

function Tables({ answer }: { readonly answer: RunAnswer }) {
  const parts = useMemo(() => partsOf(answer.printed), [answer])
  if (parts.length === 0) return <EmptyState text="The query printed nothing." />
  return (
    <div className={classes.parts}>
      {answer.message !== '' && <p className={classes.note}>{answer.message}</p>}
      {parts.map((part, position) =>
        part.kind === 'table' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may be printed twice; parts never move
          <PartTable key={`${part.name}:${position}`} part={part} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <p key={`${part.name}:${position}`} className={classes.value}>
            <span>{part.name}</span>
            <code>{cellText(part.value)}</code>
          </p>
        ),
      )}
    </div>
  )
}

/** A table longer than the settings allow shows its first rows and says so; the download has all. */
function PartTable({ part }: { readonly part: TablePart }) {
  const { rowLimit } = usePreferences()
  const shown = useMemo(
    () => part.rows.slice(0, rowLimit).map((row, position) => ({ row, position })),
    [part, rowLimit],
  )
  const columns = useMemo(
    () =>
      part.columns.map(
        (name): Column<(typeof shown)[number]> => ({
          id: name,
          header: name,
          align: isNumeric(part.rows[0]?.[name]) ? 'end' : 'start',
          cell: ({ row }) => cellText(row[name]),
          sortValue: ({ row }) => sortValue(row[name]),
        }),
      ),
    [part],
  )
  const hint =
    part.rows.length > shown.length
      ? `${formatCount(shown.length)} of ${formatCount(part.rows.length)} rows; the download has all`
      : `${formatCount(part.rows.length)} rows`
  return (
    <Section title={part.name} hint={hint} layout="flush">
      <DataTable
        label={part.name}
        rows={shown}
        columns={columns}
        rowKey={({ position }) => String(position)}
        maxHeight="360px"
      />
    </Section>
  )
}

function ResultCanvas({
  graph,
  name,
}: {
  readonly graph: ReturnType<typeof graphOf>
  readonly name: string
}) {
  const [selection, setSelection] = useState<readonly string[]>([])
  const scene = useMemo(
    () => ({
      nodes: graph.vertices.map(({ type, id }) => ({
        id: `${type} ${id}`,
        typeName: type,
        label: id,
      })),
      edges: graph.edges.map(({ type, directed, from, to }, position) => ({
        id: `edge ${position}`,
        source: `${from.type} ${from.id}`,
        target: `${to.type} ${to.id}`,
        typeName: type,
        label: type,
        directed,
      })),
    }),
    [graph],
  )
  return (
    <div className={classes.canvas}>
      {graph.cut && (
        <p className={classes.note}>
          The first {RESULT_VERTICES_MAX} vertices are drawn; the table and the JSON have all.
        </p>
      )}
      <GraphCanvas
        label={`Result of ${name}`}
        scene={scene}
        selection={selection}
        onSelect={setSelection}
      />
    </div>
  )
}

function cellText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? stringifyLossless(value) : String(value)
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

function sortValue(value: unknown) {
  return typeof value === 'object' ? cellText(value) : (value as string | number | bigint | boolean)
}
