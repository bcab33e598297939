/** The machine under the graph: what it uses, what it runs, and the two maintenance calls. */
import type { QueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { liveMetricsQuery } from '#api/metrics.ts'
import { prefetchChart } from '#ui/chart/chart.tsx'
import { Loading } from '#ui/feedback/states.tsx'
import { PageTabs } from '#ui/layout/page-tabs.tsx'
import { MetricsOverview } from './components/metrics-overview.tsx'
import { RawMetrics } from './components/raw-metrics.tsx'
import { Versions } from './components/versions.tsx'

const InstancesTab = lazy(async () => ({
  default: (await import('./components/instances.tsx')).InstancesTab,
}))
const Maintenance = lazy(async () => ({
  default: (await import('./components/maintenance.tsx')).Maintenance,
}))
const MetricExplorer = lazy(async () => ({
  default: (await import('./components/metric-explorer.tsx')).MetricExplorer,
}))
const ServerLog = lazy(async () => ({
  default: (await import('./components/server-log.tsx')).ServerLog,
}))

const later = (content: ReactNode) => <Suspense fallback={<Loading />}>{content}</Suspense>

export function SystemPage() {
  return (
    <PageTabs
      title="System"
      tabs={[
        { id: 'overview', label: 'Overview', content: <MetricsOverview /> },
        { id: 'explorer', label: 'Metric explorer', content: later(<MetricExplorer />) },
        { id: 'raw', label: 'Raw metrics', content: <RawMetrics /> },
        { id: 'log', label: 'Log', content: later(<ServerLog />) },
        { id: 'maintenance', label: 'Maintenance', content: later(<Maintenance />) },
        { id: 'instances', label: 'Instances', content: later(<InstancesTab />) },
        { id: 'versions', label: 'Versions', content: <Versions /> },
      ]}
    />
  )
}

SystemPage.prepare = (client: QueryClient) =>
  Promise.all([client.prefetchQuery(liveMetricsQuery), prefetchChart()])
