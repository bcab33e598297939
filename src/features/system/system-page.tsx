/** The machine under the graph: what it uses, what it runs, and the two maintenance calls. */
import { Anchor } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Page } from '#ui/page.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Maintenance } from './components/maintenance.tsx'
import { MetricExplorer } from './components/metric-explorer.tsx'
import { MetricsOverview } from './components/metrics-overview.tsx'
import { RawMetrics } from './components/raw-metrics.tsx'
import { Versions } from './components/versions.tsx'
import classes from './system-page.module.css'

const tabs = [
  { id: 'overview', label: 'Overview', content: <MetricsOverview /> },
  { id: 'explorer', label: 'Metric explorer', content: <MetricExplorer /> },
  { id: 'raw', label: 'Raw metrics', content: <RawMetrics /> },
  { id: 'maintenance', label: 'Maintenance', content: <Maintenance /> },
  { id: 'versions', label: 'Versions', content: <Versions /> },
] as const

type TabId = (typeof tabs)[number]['id']

export function SystemPage() {
  const [search, setSearch] = useSearchParams()
  const tab = tabs.find(({ id }) => id === search.get('tab'))?.id ?? 'overview'
  return (
    <Page
      title="System"
      layout="fill"
      actions={
        <Anchor
          href="/quiver/v1/docs"
          target="_blank"
          rel="noreferrer"
          className={classes.reference ?? ''}
        >
          API reference <ExternalLink size={13} aria-hidden="true" />
        </Anchor>
      }
    >
      <div className={classes.tabs}>
        <Tabs<TabId>
          label="System"
          layout="fill"
          value={tab}
          onChange={(id) => setSearch({ tab: id }, { replace: true })}
          tabs={tabs.map((entry) => ({
            ...entry,
            content: <div className={classes.content}>{entry.content}</div>,
          }))}
        />
      </div>
    </Page>
  )
}
