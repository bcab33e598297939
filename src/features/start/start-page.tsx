/** A new graph from what is at hand: a CSV file, or a schema as JSON or GSQL. */
import { useQuery } from '@tanstack/react-query'
import { graphsQuery } from '#api/graphs.ts'
import { PageTabs } from '#ui/layout/page-tabs.tsx'
import { CsvStart } from './components/csv-start.tsx'
import { SchemaStart } from './components/schema-start.tsx'

export function StartPage() {
  const graphs = useQuery(graphsQuery).data?.map(({ name }) => name) ?? []
  return (
    <PageTabs
      title="New graph"
      parameter="from"
      tabs={[
        { id: 'csv', label: 'CSV file', content: <CsvStart graphs={graphs} /> },
        { id: 'schema', label: 'Schema', content: <SchemaStart graphs={graphs} /> },
      ]}
    />
  )
}
