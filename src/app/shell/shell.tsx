/** The frame around every page: sidebar, bar, overlays; and the login when nobody has signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useCurrentGraph } from '#api/current-graph.ts'
import { graphsQuery } from '#api/graphs.ts'
import { reauth } from '#api/reauth.ts'
import { noteRefusal } from '#api/rights.ts'
import { sessionQuery } from '#api/session.ts'
import { writeQuestions } from '#api/write-guard.ts'
import { paths } from '#lib/paths.ts'
import { recents } from '#lib/storage/recents.ts'
import { listenToKeys } from '#ui/commands/commands.ts'
import { onRequestLink } from '#ui/feedback/request-link.ts'
import { Loading } from '#ui/feedback/states.tsx'
import { focusAgain } from '#ui/inputs/focus-again.ts'
import { PageHeadProvider, usePageHead } from '#ui/layout/page-head.tsx'
import { TypeMarksProvider } from '#ui/theme/type-color.tsx'
import { ConnectionNotice } from '../../features/login/components/connection-notice.tsx'
import { EnvironmentLine } from './environment.tsx'
import { useReconnect } from './server-line.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'
import type { TypeNames } from './use-finding-commands.ts'
import { useFold } from './use-fold.ts'
import { useShellCommands } from './use-shell-commands.ts'

const ReauthDialog = lazy(async () => ({
  default: (await import('./reauth-dialog.tsx')).ReauthDialog,
}))
const WriteQuestion = lazy(async () => ({
  default: (await import('./write-question.tsx')).WriteQuestion,
}))
const CommandPalette = lazy(async () => ({
  default: (await import('#ui/commands/command-palette.tsx')).CommandPalette,
}))
const ShortcutSheet = lazy(async () => ({
  default: (await import('#ui/commands/command-palette.tsx')).ShortcutSheet,
}))
const RequestInspector = lazy(async () => ({
  default: (await import('./request-inspector.tsx')).RequestInspector,
}))

export type Overlay = 'palette' | 'shortcuts' | 'requests'

export function Shell() {
  const session = useQuery(sessionQuery)
  const location = useLocation()
  const [entered, setEntered] = useState(false)
  const user = session.data?.user ?? null
  useEffect(() => {
    if (user !== null) setEntered(true)
  }, [user])

  // Once it has failed, each further look would be pending again.
  if (session.data === undefined && session.errorUpdateCount > 0) {
    return (
      <main className={classes.alone}>
        <ConnectionNotice />
      </main>
    )
  }
  if (session.isPending) return <Loading what="session" rows={3} />
  if (user === null && !entered) {
    // What stands behind the # goes along there: a link may hold a canvas, and no server is to see it.
    const from = paths.login(location.pathname + location.search)
    return <Navigate to={from + location.hash} replace />
  }
  return (
    <Frame passwordIsDefault={session.data?.passwordIsDefault === true} locked={user === null} />
  )
}

const noTypes: TypeNames = { vertexTypes: [], edgeTypes: [] }

interface FrameProps {
  readonly passwordIsDefault: boolean
  /** The session ended while pages were open: they stay, under a login. */
  readonly locked: boolean
}

function Frame({ passwordIsDefault, locked }: FrameProps) {
  const { overlay, logId, open, close } = useOverlay()
  const graphs = useQuery(graphsQuery)
  const graph = useCurrentGraph()
  const summary = graphs.data?.find(({ name }) => name === graph)
  const names = useMemo(() => graphs.data?.map(({ name }) => name) ?? [], [graphs.data])
  useEffect(() => listenToKeys(window), [])
  useShellCommands({ graph, graphs: names, types: summary ?? noTypes, open })
  useSessionWatch()
  useReconnect()
  useVisits()
  const { isFolded, fold } = useFold()
  const { head, refs } = usePageHead()

  const isAsked = useSyncExternalStore(writeQuestions.subscribe, writeQuestions.current) !== null

  return (
    <TypeMarksProvider types={summary ?? noTypes}>
      <div className={classes.frame} data-folded={isFolded}>
        <a className={classes.skip} href="#main">
          Skip to the page
        </a>
        <EnvironmentLine />
        <Sidebar {...{ graph, isFolded }} onFold={fold} />
        <TopBar {...{ graph, graphs, passwordIsDefault }} places={refs} onOpen={open} />
        <PageHeadProvider head={head}>
          <div className={classes.page}>
            <Outlet />
          </div>
        </PageHeadProvider>
      </div>
      <Suspense>
        {overlay === 'palette' && <CommandPalette opened onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutSheet opened onClose={close} />}
        {overlay === 'requests' && (
          <RequestInspector key={logId} opened onClose={close} start={logId} />
        )}
        {locked && <ReauthDialog opened />}
        {isAsked && <WriteQuestion />}
      </Suspense>
    </TypeMarksProvider>
  )
}

/** One at a time. Overlays vanish as a whole, so the focus is given back here. */
function useOverlay() {
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  /** The request that the inspector begins with. */
  const [logId, setLogId] = useState<number | null>(null)
  const before = useRef<Element | null>(null)
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = overlay !== null
    if (overlay === null && before.current !== null) focusAgain(before.current)
  }, [overlay])
  const open = useCallback((wanted: Overlay) => {
    // From one overlay to the next: back to where the first was opened.
    if (!isOpen.current) before.current = document.activeElement
    setLogId(null)
    setOverlay(wanted)
  }, [])
  const close = useCallback(() => setOverlay(null), [])
  useEffect(
    () =>
      onRequestLink((id) => {
        open('requests')
        setLogId(id)
      }),
    [open],
  )
  return { overlay, logId, open, close }
}

/** The home page leads back to what was looked at. */
function useVisits(): void {
  const { pathname, search } = useLocation()
  useEffect(() => recents.visit(pathname, search), [pathname, search])
}

/**
 * Any answer 401 asks again who is signed in, which opens the login over the page; a refusal asks
 * again for what they may do.
 */
function useSessionWatch(): void {
  const client = useQueryClient()
  useEffect(
    () =>
      reauth.offer(async () => {
        const { user } = await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
        return user === null
      }),
    [client],
  )
  useEffect(() => {
    const onChange = (error: unknown) => {
      noteRefusal(client, error)
      if ((error as { status?: unknown } | null)?.status !== 401) return
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    }
    const stopQueries = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') onChange(event.action.error)
    })
    const stopMutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') onChange(event.action.error)
    })
    return () => {
      stopQueries()
      stopMutations()
    }
  }, [client])
}
