/** Whether filters really find their vertices by an index: the server counts both ways. */
import { useQuery } from '@tanstack/react-query'
import { metricsQuery } from '#api/metrics.ts'
import { formatCount } from '#lib/format.ts'
import { sampleValue } from '#lib/open-metrics.ts'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'

export function LookupFigures() {
  const metrics = useQuery(metricsQuery)
  if (!metrics.isSuccess) return null
  const indexed = sampleValue(metrics.data.parsed, 'quiver_reads_indexed_total')
  const scanned = sampleValue(metrics.data.parsed, 'quiver_reads_scanned_total')
  if (indexed === undefined || scanned === undefined) return null
  return (
    <FigureRow>
      <FigureTile
        label="Filtered reads by an index"
        value={formatCount(indexed)}
        context="all graphs, since the server started"
      />
      <FigureTile
        label="Filtered reads without one"
        value={formatCount(scanned)}
        context="an index on the filtered attribute spares them"
      />
    </FigureRow>
  )
}
