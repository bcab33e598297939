/** The machine under the graph: what it uses, what it runs, and the two maintenance calls. */
import { Anchor } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { PageTabs } from '#ui/page-tabs.tsx'
import { Maintenance } from './components/maintenance.tsx'
import { MetricExplorer } from './components/metric-explorer.tsx'
import { MetricsOverview } from './components/metrics-overview.tsx'
import { RawMetrics } from './components/raw-metrics.tsx'
import { Versions } from './components/versions.tsx'
import classes from './system-page.module.css'

export function SystemPage() {
  return (
    <PageTabs
      title="System"
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
      tabs={[
        { id: 'overview', label: 'Overview', content: <MetricsOverview /> },
        { id: 'explorer', label: 'Metric explorer', content: <MetricExplorer /> },
        { id: 'raw', label: 'Raw metrics', content: <RawMetrics /> },
        { id: 'maintenance', label: 'Maintenance', content: <Maintenance /> },
        { id: 'versions', label: 'Versions', content: <Versions /> },
      ]}
    />
  )
}
