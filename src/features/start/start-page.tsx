/** A new graph from what is at hand: a CSV file, or a schema as JSON or GSQL. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { graphsQuery } from '#api/graphs.ts'
import { Page } from '#ui/page.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { CsvStart } from './components/csv-start.tsx'
import { SchemaStart } from './components/schema-start.tsx'

export function StartPage() {
  const [search, setSearch] = useSearchParams()
  const graphs = useQuery(graphsQuery).data?.map(({ name }) => name) ?? []
  return (
    <Page title="New graph">
      <Tabs<'csv' | 'schema'>
        label="Begin with"
        value={search.get('from') === 'schema' ? 'schema' : 'csv'}
        onChange={(from) => setSearch({ from }, { replace: true })}
        tabs={[
          { id: 'csv', label: 'CSV file', content: <CsvStart graphs={graphs} /> },
          { id: 'schema', label: 'Schema', content: <SchemaStart graphs={graphs} /> },
        ]}
      />
    </Page>
  )
}
