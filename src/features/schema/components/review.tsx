/** Everything a draft would do to the published schema, before it does it. */
import { Button, Code, CopyButton } from '@mantine/core'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Download } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { useRefusal } from '#api/rights.ts'
import { changeSchema } from '#contract/schema.ts'
import { counted } from '#lib/format.ts'
import { queryDrafts } from '#lib/storage/query-drafts.ts'
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { notify } from '#ui/feedback/toasts.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { later } from '#ui/layout/later.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { impactQuery, usePublish } from '../api/schema.ts'
import { affectedDataUrl, affectedTypes } from '../model/affected-data.ts'
import { changeCurl, changeRequest, type SchemaChangeJson } from '../model/change-request.ts'
import { type ImpactView, publishLabel, refusalsOf } from '../model/impact.ts'
import { changesSentence } from '../model/schema-diff.ts'
import { schemaGsql } from '../model/schema-text.ts'
import { DraftOnly } from './draft-bar.tsx'
import { ReviewSummary } from './review-summary.tsx'
import classes from './schema.module.css'
import type { SchemaEditor } from './use-schema-editor.ts'

/** Brings what asks the compiler. */
const BrokenDrafts = later(async () => (await import('./broken-drafts.tsx')).BrokenDrafts)

interface ReviewProps {
  readonly graph: string
  readonly editor: SchemaEditor
  readonly onBack: () => void
}

function requestOf(graph: string, { draft }: SchemaEditor): SchemaChangeJson {
  return changeRequest({ graph, live: draft.base, draft: draft.schema })
}

type TabId = 'summary' | 'gsql' | 'json' | 'curl'

export function Review({ graph, editor, onBack }: ReviewProps) {
  const { changes } = editor
  const [tab, setTab] = useState<TabId>('summary')
  const [hasDrafts] = useState(() => queryDrafts(graph).size > 0)
  const request = requestOf(graph, editor)
  const impact = useQuery({ ...impactQuery(graph, request), enabled: changes.length > 0 })
  const publish = usePublish(graph)
  const json = JSON.stringify(request, null, 2)
  const curl = changeCurl(window.location.origin, graph, request)
  if (changes.length === 0) {
    return (
      <EmptyState
        text="Nothing to review: the draft is what is published."
        actions={<Button onClick={onBack}>Back to the schema</Button>}
      />
    )
  }
  return (
    <div className={classes['review']}>
      <header className={classes['reviewHeader']}>
        <Button
          variant="subtle"
          leftSection={<ArrowLeft size={13} aria-hidden="true" />}
          onClick={onBack}
        >
          Back to the schema
        </Button>
        <h2>Review: {changesSentence(changes)}</h2>
      </header>
      <div className={classes['reviewBody']}>
        <Tabs
          label="Views of the change"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'summary',
              label: 'Summary',
              content: (
                <>
                  <ImpactState impact={impact} />
                  <ReviewSummary
                    changes={changes}
                    impact={impact.data}
                    refusals={refusalsOf(publish.error, impact.data)}
                  >
                    {hasDrafts && (
                      <Suspense>
                        <BrokenDrafts graph={graph} draft={editor.draft} />
                      </Suspense>
                    )}
                  </ReviewSummary>
                </>
              ),
            },
            {
              id: 'gsql',
              label: 'GSQL',
              content: (
                <>
                  <ImpactState impact={impact} />
                  {impact.data !== undefined && (
                    <Copyable label="GSQL" text={impact.data.gsql}>
                      {impact.data.gsql.startsWith('#')
                        ? 'GSQL cannot make this change; JSON and curl can.'
                        : 'Makes this change, as publishing it does.'}
                    </Copyable>
                  )}
                  <Copyable
                    label="GSQL of a new graph"
                    text={schemaGsql(graph, editor.draft.schema)}
                  >
                    Makes a new graph of the whole draft, where no graph is called {graph} yet.
                  </Copyable>
                </>
              ),
            },
            { id: 'json', label: 'JSON', content: <Copyable label="JSON" text={json} /> },
            { id: 'curl', label: 'curl', content: <Copyable label="curl" text={curl} /> },
          ]}
        />
      </div>
      <PublishBar
        graph={graph}
        editor={editor}
        impact={impact.data}
        publish={publish}
        onDone={onBack}
      />
    </div>
  )
}

function ImpactState({ impact }: { readonly impact: UseQueryResult<ImpactView> }) {
  if (impact.isPending) return <Loading what="what the change would do" />
  if (!impact.isError) return null
  return (
    <ErrorNotice
      error={impact.error}
      title="What this would touch could not be counted"
      onRetry={impact.refetch}
    />
  )
}

interface CopyableProps {
  readonly label: string
  readonly text: string
  /** What the text does. */
  readonly children?: ReactNode
}

function Copyable({ label, text, children }: CopyableProps) {
  return (
    <div className={classes['copyable']}>
      {children !== undefined && <p>{children}</p>}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : `Copy ${label}`}
          </Button>
        )}
      </CopyButton>
      <Code block tabIndex={0} role="region" aria-label={`The change as ${label}`}>
        {text}
      </Code>
    </div>
  )
}

/** Saved by the browser as it comes from the server, however much it is. */
function AffectedData({ graph, editor }: Pick<ReviewProps, 'graph' | 'editor'>) {
  const url = affectedDataUrl(graph, affectedTypes(editor.changes, editor.draft.base))
  if (url === null) return null
  return (
    <Button
      component="a"
      href={url}
      download={`${graph}-before-change.ndjson`}
      variant="default"
      leftSection={<Download size={13} aria-hidden="true" />}
      title="Lines of JSON, which the Data page loads again"
    >
      Save the affected data
    </Button>
  )
}

interface PublishBarProps {
  readonly graph: string
  readonly editor: SchemaEditor
  readonly impact: ImpactView | undefined
  readonly publish: ReturnType<typeof usePublish>
  readonly onDone: () => void
}

function PublishBar({ graph, editor, impact, publish, onDone }: PublishBarProps) {
  const { changes } = editor
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const refusal = useRefusal(changeSchema, graph)
  const destroys = changes.some(({ changeClass }) => changeClass === 'destroys')
  const label = publishLabel(changes.length, destroys, impact)
  const affected = <AffectedData graph={graph} editor={editor} />
  const run = () =>
    publish.mutate(requestOf(graph, editor), {
      onSuccess: async () => {
        setAsking(false)
        editor.published(await client.fetchQuery({ ...graphSchemaQuery(graph), staleTime: 0 }))
        notify(`Published ${changesSentence(changes)} to ${graph}`)
        onDone()
      },
    })
  return (
    <section className={`${classes['bar']} ${classes['publish']}`} aria-label="Publish">
      <div className={classes['barText']}>
        {publish.isError && !asking && (
          <ErrorNotice error={publish.error} title="Nothing was published" />
        )}
        {impact?.problem != null && (
          <ErrorNotice
            error={new Error(impact.problem.message)}
            title="The server would refuse this"
          />
        )}
        {destroys && affected}
        {refusal !== null && <DraftOnly refusal={refusal} />}
      </div>
      <Refusable refusal={refusal}>
        <Button
          color={destroys ? 'red' : 'ink'}
          disabled={impact?.problem != null}
          loading={publish.isPending}
          onClick={() => (destroys ? setAsking(true) : run())}
        >
          {label}
        </Button>
      </Refusable>
      <ConfirmDialog
        opened={asking}
        title={`Publish to ${graph}?`}
        confirmLabel={label}
        typedName={graph}
        busy={publish.isPending}
        error={publish.error}
        onConfirm={run}
        onClose={() => setAsking(false)}
      >
        {impact === undefined ? (
          <p>This deletes data that cannot be brought back.</p>
        ) : (
          <p>
            This deletes {counted(impact.destroyedVertices, 'vertex', 'vertices')} and{' '}
            {counted(impact.destroyedEdges, 'edge', 'edges')}, and the values of every dropped
            attribute. It cannot be undone.
          </p>
        )}
        {affected}
      </ConfirmDialog>
    </section>
  )
}
