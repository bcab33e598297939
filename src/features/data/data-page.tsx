/** Data into a graph: from files, as JSON, or one element in a form. */
import { useQuery } from '@tanstack/react-query'
import { Database, Lock } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import { paths } from '#lib/paths.ts'
import { usePreferences } from '#lib/storage/preferences.ts'
import { NeedsSchema } from '#ui/feedback/needs-schema.tsx'
import { ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Page } from '#ui/layout/page.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import classes from './components/data.module.css'
import { FileTab } from './components/file-tab.tsx'

const JsonTab = lazy(async () => ({
  default: (await import('./components/json-tab.tsx')).JsonTab,
}))

const FormTab = lazy(async () => ({
  default: (await import('./components/form-tab.tsx')).FormTab,
}))

const tabIds = ['file', 'json', 'form'] as const
type TabId = (typeof tabIds)[number]

/** Of the guard that is chosen in the bar above. */
const guardRefusal = 'The write guard is read-only: this console refuses every write.'

export function DataPage({ graph }: { readonly graph: string }) {
  const schema = useQuery(graphSchemaQuery(graph))
  const { writeGuard } = usePreferences()
  const lacking = useRefusal(upsertData, graph)
  const refusal = lacking ?? (writeGuard === 'read-only' ? guardRefusal : null)
  const [search, setSearch] = useSearchParams()
  const tab: TabId = tabIds.find((id) => id === search.get('tab')) ?? 'file'
  // A read that fails later leaves the forms, and what was written into them, on screen.
  const isEmpty = schema.data?.vertices.length === 0
  const panel = (content: ReactNode) => (
    <div className={classes['panel']}>
      {refusal !== null && (
        <p className={classes['refusal']} role="status">
          <Lock size={16} aria-hidden="true" />
          <span>Nothing can be written here. {refusal}</span>
        </p>
      )}
      <Suspense fallback={<Loading what="the form" />}>{content}</Suspense>
    </div>
  )
  return (
    <Page title="Data" layout={schema.data !== undefined && !isEmpty ? 'fill' : 'padded'}>
      {schema.isPending && <Loading what={`the schema of ${graph}`} />}
      {schema.isError && schema.data === undefined && (
        <ErrorNotice
          error={schema.error}
          title="The schema could not be read"
          onRetry={schema.refetch}
        />
      )}
      {isEmpty && (
        <NeedsSchema icon={<Database size={28} />} what="Data" designer={paths.schema(graph)} />
      )}
      {schema.data !== undefined && !isEmpty && (
        <Tabs<TabId>
          label="Ways to write data"
          layout="fill"
          value={tab}
          onChange={(id) => setSearch({ tab: id }, { replace: true })}
          tabs={[
            {
              id: 'file',
              label: 'File',
              content: panel(<FileTab graph={graph} schema={schema.data} />),
            },
            {
              id: 'json',
              label: 'JSON',
              content: panel(<JsonTab graph={graph} schema={schema.data} />),
            },
            {
              id: 'form',
              label: 'Form',
              content: panel(<FormTab graph={graph} schema={schema.data} />),
            },
          ]}
        />
      )}
    </Page>
  )
}
