import { Button, Select, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { graphsQuery } from '#api/graphs.ts'
import { metricsQuery } from '#api/metrics.ts'
import { useRebuild, useRebuildProgress } from '#api/rebuild.ts'
import { useRefusal } from '#api/rights.ts'
import { rebuildNow } from '#contract/system.ts'
import { counted, formatBytes, formatDuration } from '#lib/format.ts'
import { sampleValue } from '#lib/open-metrics.ts'
import { RebuildProgress } from '#ui/feedback/rebuild-progress.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { NumberField } from '#ui/inputs/number-field.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { Section } from '#ui/layout/page.tsx'
import classes from './maintenance.module.css'

const EVERY_TYPE = 'every type'

/** Nothing while it is not known. */
function Waiting() {
  const parsed = useQuery(metricsQuery).data?.parsed
  const entries = parsed && sampleValue(parsed, 'quiver_store_log_entries')
  const size = parsed && sampleValue(parsed, 'quiver_store_log_size_bytes')
  if (entries === undefined || size === undefined) return null
  return (
    <>
      <dt>Waiting</dt>
      <dd>
        {entries === 0
          ? 'Nothing was written since the last rebuild.'
          : `${counted(entries, 'entry', 'entries')} of the log, ${formatBytes(size)}, of all graphs.`}
      </dd>
    </>
  )
}

export function RebuildCard({ graph }: { readonly graph: string }) {
  const graphs = useQuery(graphsQuery)
  const rebuild = useRebuild()
  const { isAsked, rebuild: running } = useRebuildProgress()
  const [threads, setThreads] = useState<number | undefined>(undefined)
  const [vertexType, setVertexType] = useState(EVERY_TYPE)
  const [force, setForce] = useState(false)
  const types = graphs.data?.find(({ name }) => name === graph)?.vertexTypes ?? []
  const run = () =>
    rebuild.mutate({
      graph,
      threads,
      vertexType: vertexType === EVERY_TYPE ? undefined : vertexType,
      force,
    })

  return (
    <Section title="Commit to disk" hint={`rebuild ${graph}`}>
      <p className={classes.words}>
        Folds everything written since the last rebuild into the base segments and writes them to
        disk, so that reads get faster, memory smaller and the next start shorter.
      </p>
      <dl className={classes.facts}>
        <dt>Cost</dt>
        <dd>One core for seconds to minutes, and memory for a second copy meanwhile.</dd>
        <dt>Effect</dt>
        <dd>Reads and writes go on; nothing is lost if it is interrupted.</dd>
        <Waiting />
      </dl>
      <div className={classes.options}>
        <Select
          label="Vertex type"
          data={[EVERY_TYPE, ...types]}
          value={vertexType}
          onChange={(value) => setVertexType(value ?? EVERY_TYPE)}
        />
        <NumberField
          label="Threads"
          placeholder="the server decides"
          min={1}
          max={256}
          optional
          value={threads}
          onChange={setThreads}
        />
        <Switch
          className={classes.switch ?? ''}
          label="Also segments without changes"
          checked={force}
          onChange={(event) => setForce(event.currentTarget.checked)}
        />
      </div>
      <div>
        <Refusable refusal={useRefusal(rebuildNow, graph)}>
          <Button onClick={run} loading={isAsked}>
            Rebuild now
          </Button>
        </Refusable>
      </div>
      {running !== null && <RebuildProgress {...running} />}
      {rebuild.isError && (
        <ErrorNotice title="The rebuild did not finish" error={rebuild.error} onRetry={run} />
      )}
      {rebuild.isSuccess && (
        <div className={classes.result} role="status">
          <StatusBadge look="plain" status="success">
            finished, answered after {formatDuration(rebuild.data.durationMs)}
          </StatusBadge>
          <p className={classes.words}>{rebuild.data.message}</p>
        </div>
      )}
    </Section>
  )
}
