/** The explorer: find a vertex, see what hangs on it before drawing it, follow it. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { counted, formatCount } from '#lib/format.ts'
import { preferences, usePreferences } from '#lib/storage/preferences.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { useFrameRate } from '#ui/graph-canvas/engine/frame-rate.ts'
import type { CanvasHandle, LayoutName } from '#ui/graph-canvas/scene.ts'
import { Page } from '#ui/layout/page.tsx'
import { SplitPane } from '#ui/layout/split-pane.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { Toolbar, ToolbarEnd } from '#ui/layout/toolbar.tsx'
import { WidthButton } from '#ui/layout/width-button.tsx'
import { countsQuery } from './api/explorer.ts'
import { DeleteDialog } from './components/delete-dialog.tsx'
import { ElementsTable } from './components/elements-table.tsx'
import { ExportMenu } from './components/export-menu.tsx'
import { Inspector } from './components/inspector.tsx'
import { NeighbourList } from './components/neighbour-list.tsx'
import { SceneMenu } from './components/scene-menu.tsx'
import { canArrange, SceneToolbar } from './components/scene-toolbar.tsx'
import { Stage } from './components/stage.tsx'
import { StepsDialog } from './components/steps-dialog.tsx'
import { StylePanel } from './components/style-panel.tsx'
import { VertexSearch } from './components/vertex-search.tsx'
import classes from './explorer-page.module.css'
import { chosenElements } from './model/deletion.ts'
import type { PageSize } from './model/expansion.ts'
import {
  CanvasFull,
  type Elements,
  emptyScene,
  type ListedKind,
  remainderKey,
} from './model/scene.ts'
import { type Looks, looksOf } from './model/scene-style.ts'
import { useCanvasAddress } from './use-canvas-address.ts'
import { type Explorer, useExplorer } from './use-explorer.ts'
import { useStartVertex } from './use-scene-links.ts'
import { useSelectionCommands } from './use-selection-commands.ts'

export function ExplorerPage({ graph }: { readonly graph: string }) {
  const explorer = useExplorer(graph)
  const counts = useQuery(countsQuery(graph))
  const [pageSize, setPageSize] = usePageSize()
  const [layout, setLayout] = useState<LayoutName>('force')
  const [pane, setPane] = useState<Pane>('inspector')
  const [listed, setListed] = useState<ListedKind | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [doomed, setDoomed] = useState<Elements | null>(null)
  const canvas = useRef<CanvasHandle>(null)
  useStartVertex(graph, explorer)
  useTravels(explorer, canvas)
  const address = useCanvasAddress(graph, explorer, canvas)
  const { wideDrawer } = usePreferences()
  const types = useMemo(() => counts.data?.vertices.map(({ type }) => type) ?? [], [counts.data])
  const totals = useMemo(
    () => new Map(counts.data?.vertices.map(({ type, count }) => [type, count])),
    [counts.data],
  )
  const looks = useLooks(explorer)
  const [isStepping, setStepping] = useState(false)
  const steps = () => setStepping(true)
  useSelectionCommands(explorer, steps)
  const arrange = (name: LayoutName) => {
    if (!canArrange(name, explorer.scene.vertices.size)) return
    setLayout(name)
    void canvas.current?.layout(name)
  }
  const doom = () => setDoomed(chosenElements(explorer.scene, explorer.selection, unfolded))
  const list = (kind: ListedKind) => {
    setListed(kind)
    setPane('list')
  }
  const closeList = () => {
    setListed(null)
    setPane('inspector')
    canvas.current?.focus()
  }
  return (
    <Page title="Explorer" layout="fill" status={<SceneStatus explorer={explorer} />}>
      <div className={classes.page}>
        <Toolbar label="Explorer">
          <VertexSearch
            {...{ graph, types }}
            drawn={explorer.scene}
            onAdd={explorer.add}
            onShow={(key) => {
              explorer.select([key])
              canvas.current?.fit([key])
            }}
          />
          <SceneToolbar
            {...{ explorer, pageSize, layout }}
            onPageSize={setPageSize}
            onLayout={arrange}
            onFit={() => canvas.current?.fit()}
            exportMenu={<ExportMenu {...{ graph, explorer, canvas }} />}
          />
          <ToolbarEnd>
            <SceneMenu
              {...{ graph }}
              scene={explorer.scene}
              onOpen={explorer.open}
              makeLink={address.link}
            />
          </ToolbarEnd>
        </Toolbar>
        {explorer.error !== null && (
          <ErrorNotice
            title="This could not be done"
            error={explorer.error}
            onDismiss={explorer.dismissError}
            action={<ListInstead error={explorer.error} onList={list} />}
          />
        )}
        {counts.isError && (
          <ErrorNotice
            title="The types of this graph could not be read"
            error={counts.error}
            onRetry={counts.refetch}
          />
        )}
        <SplitPane
          id="explorer.drawer"
          fixed="second"
          size={360}
          min={240}
          label="Resize the inspector"
          isWide={wideDrawer}
          first={
            <Stage
              {...{ graph, explorer, pageSize, totals, unfolded, looks }}
              onList={list}
              onView={address.touch}
              wantedView={address.wantedView}
              onUnfold={(key) => setUnfolded(toggled(unfolded, key))}
              onDelete={doom}
              canvas={canvas}
              arrange={arrange}
              layout={layout}
            />
          }
          second={
            <Drawer
              {...{ graph, explorer, pageSize, unfolded, looks, pane, listed }}
              onPane={setPane}
              onList={list}
              onCloseList={closeList}
              onDelete={doom}
              onSteps={steps}
            />
          }
        />
      </div>
      {isStepping && <StepsDialog {...{ graph, explorer }} onClose={() => setStepping(false)} />}
      {doomed !== null && (
        <DeleteDialog
          {...{ graph, explorer }}
          chosen={doomed}
          onClose={() => {
            setDoomed(null)
            canvas.current?.focus()
          }}
        />
      )}
    </Page>
  )
}

interface DrawerProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly pageSize: PageSize
  readonly unfolded: ReadonlySet<string>
  readonly looks: Looks
  readonly pane: Pane
  readonly listed: ListedKind | null
  readonly onPane: (pane: Pane) => void
  readonly onList: (kind: ListedKind) => void
  readonly onCloseList: () => void
  readonly onDelete: () => void
  readonly onSteps: () => void
}

function Drawer(props: DrawerProps) {
  const { graph, explorer, pageSize, unfolded, looks, listed, onList, onDelete, onSteps } = props
  const { wideDrawer } = usePreferences()
  return (
    <Tabs
      label="Details"
      layout="fill"
      value={props.pane}
      onChange={props.onPane}
      actions={
        <WidthButton
          isWide={wideDrawer}
          onChange={(isWide) => preferences.set({ wideDrawer: isWide })}
        />
      }
      tabs={[
        {
          id: 'inspector',
          label: 'Inspector',
          content: (
            <Inspector {...{ graph, explorer, pageSize, unfolded, onList, onDelete, onSteps }} />
          ),
        },
        {
          id: 'elements',
          label: `Elements ${elementCount(explorer) || ''}`,
          content: <ElementsTable {...{ explorer, unfolded, looks }} />,
        },
        { id: 'style', label: 'Style', content: <StylePanel explorer={explorer} /> },
        ...(listed === null
          ? []
          : [listTab({ graph, explorer, listed, closeList: props.onCloseList })]),
      ]}
    />
  )
}

/** The last choice is the first one of the next visit. */
function usePageSize() {
  const [size, setSize] = useState<PageSize>(preferences.get().expandLimit)
  const choose = (chosen: PageSize) => {
    setSize(chosen)
    preferences.set({ expandLimit: chosen })
  }
  return [size, choose] as const
}

interface ListInsteadProps {
  readonly error: unknown
  readonly onList: (kind: ListedKind) => void
}

/** What finds no room on the canvas is looked through all the same. */
function ListInstead({ error, onList }: ListInsteadProps) {
  if (!(error instanceof CanvasFull) || error.listed === null) return null
  const { listed } = error
  return <Button onClick={() => onList(listed)}>List {listed.row.edgeType}</Button>
}

type Pane = 'inspector' | 'elements' | 'style' | 'list'

interface ListTabOptions {
  readonly graph: string
  readonly explorer: Explorer
  readonly listed: ListedKind
  readonly closeList: () => void
}

function listTab({ graph, explorer, listed, closeList }: ListTabOptions) {
  const key = remainderKey(listed.vertex.key, listed.row)
  return {
    id: 'list' as const,
    label: 'List',
    content: <NeighbourList key={key} {...{ graph, explorer, ...listed }} onClose={closeList} />,
  }
}

/** Places are left out on purpose: a node that is moved looks as before. */
function useLooks({ scene: { vertices, edges, styles } }: Explorer): Looks {
  return useMemo(
    () => looksOf({ ...emptyScene, vertices, edges, styles }),
    [vertices, edges, styles],
  )
}

/** After a step back or forth the canvas takes its places from the scene. */
function useTravels({ travels, scene }: Explorer, canvas: RefObject<CanvasHandle | null>): void {
  const positions = useRef(scene.positions)
  useEffect(() => {
    positions.current = scene.positions
  })
  useEffect(() => {
    if (travels === 0) return
    canvas.current?.cancelLayout()
    canvas.current?.moveTo(positions.current)
  }, [travels, canvas])
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}

function SceneStatus({ explorer }: { readonly explorer: Explorer }) {
  const { vertices, edges, hidden } = explorer.scene
  if (vertices.size === 0) return null
  const parts = [
    counted(vertices.size, 'vertex', 'vertices'),
    counted(edges.size, 'edge', 'edges'),
    ...(hidden.size > 0 ? [`${formatCount(hidden.size)} hidden`] : []),
  ]
  return (
    <>
      <span role="status">{explorer.busy ? 'Reading…' : parts.join(' · ')}</span>
      <FrameRate />
    </>
  )
}

/** Not read aloud: it changes all the time, and nobody acts on it. */
function FrameRate() {
  const rate = useFrameRate()
  return rate === null ? null : <span aria-hidden="true">{` · ${rate} fps`}</span>
}

const elementCount = ({ scene }: Explorer): number => scene.vertices.size + scene.edges.size
