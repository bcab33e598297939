/** What a run printed: as tables, as JSON, as a graph; and how long it took. */
import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { Check, Copy, Download } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { downloadText } from '#lib/download.ts'
import { formatBytes, formatCount } from '#lib/format.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import { Loading } from '#ui/feedback/states.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import type { RunAnswer } from '../api/queries.ts'
import { graphOf, partsOf, type TablePart } from '../model/result.ts'
import { numericColumns } from '../model/result-chart.ts'
import classes from '../queries-page.module.css'
import { useRenderTime } from '../use-render-time.ts'
import { ResultCanvas } from './result-canvas.tsx'
import { ResultChart } from './result-chart.tsx'
import { ResultTables } from './result-tables.tsx'
import { TimeBar } from './time-bar.tsx'

interface ResultsViewProps {
  readonly answer: RunAnswer
  readonly graph: string
  readonly name: string
  readonly tab: ResultTab
  readonly onTab: (tab: ResultTab) => void
}

export type ResultTab = 'table' | 'chart' | 'json' | 'graph'

export function ResultsView({ answer, graph, name, tab, onTab }: ResultsViewProps) {
  const renderMs = useRenderTime(answer)
  const drawing = useMemo(() => graphOf(answer.printed), [answer])
  const parts = useMemo(() => partsOf(answer.printed), [answer])
  const charted = useMemo(
    () => parts.filter((part) => part.kind === 'table').filter(hasNumbers),
    [parts],
  )
  const missing = {
    table: false,
    json: false,
    chart: charted.length === 0,
    graph: drawing.vertices.length === 0,
  }
  return (
    <Tabs
      label="Result"
      layout="fill"
      value={missing[tab] ? 'table' : tab}
      onChange={onTab}
      actions={<RunFacts {...{ answer, name, renderMs }} />}
      tabs={[
        { id: 'table', label: 'Table', content: <ResultTables {...{ answer, parts, name }} /> },
        {
          id: 'chart',
          label: 'Chart',
          disabled: missing.chart,
          content: <ResultChart parts={charted} />,
        },
        {
          id: 'json',
          label: 'JSON',
          content: (
            <Suspense fallback={<Loading what="the result" />}>
              <ResultJson answer={answer} name={name} />
            </Suspense>
          ),
        },
        {
          id: 'graph',
          label: drawing.vertexCount === 0 ? 'Graph' : `Graph ${formatCount(drawing.vertexCount)}`,
          disabled: missing.graph,
          content: <ResultCanvas drawing={drawing} graph={graph} name={name} />,
        },
      ]}
    />
  )
}

const ResultJson = lazy(async () => ({ default: (await import('./result-json.tsx')).ResultJson }))

const hasNumbers = (part: TablePart): boolean => numericColumns(part).length > 0

interface AnswerProps {
  readonly answer: RunAnswer
  readonly name: string
}

interface RunFactsProps extends AnswerProps {
  readonly renderMs: number | null
}

function RunFacts({ answer, name, renderMs }: RunFactsProps) {
  const clipboard = useClipboard()
  return (
    <div className={classes.facts}>
      <TimeBar answer={answer} renderMs={renderMs} />
      <span role="status">{formatBytes(answer.sizeBytes)}</span>
      <Tooltip label={clipboard.copied ? 'Copied' : 'Copy as JSON'}>
        <ActionIcon
          variant="subtle"
          aria-label={clipboard.copied ? 'Copied' : 'Copy as JSON'}
          onClick={() => clipboard.copy(stringifyLossless(answer.printed, 2))}
        >
          {clipboard.copied ? <Check size={14} /> : <Copy size={14} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Download as JSON">
        <ActionIcon
          variant="subtle"
          aria-label="Download as JSON"
          onClick={() => downloadText(`${name}.json`, stringifyLossless(answer.printed, 2))}
        >
          <Download size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
