/** The explorer: find a vertex, see what hangs on it before drawing it, follow it. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { counted, formatCount } from '#lib/format.ts'
import { preferences, usePreferences } from '#lib/preferences.ts'
import { keyName } from '#ui/commands.ts'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import type { CanvasHandle, LayoutName } from '#ui/graph-canvas/scene.ts'
import { Page } from '#ui/page.tsx'
import { SplitPane } from '#ui/split-pane.tsx'
import { EmptyState, ErrorNotice } from '#ui/states.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Toolbar } from '#ui/toolbar.tsx'
import { TypeTag } from '#ui/type-tag.tsx'
import { countsQuery, findVertices } from './api/explorer.ts'
import { DeleteDialog } from './components/delete-dialog.tsx'
import { ElementsTable } from './components/elements-table.tsx'
import { ExportMenu } from './components/export-menu.tsx'
import { Inspector } from './components/inspector.tsx'
import { Legend } from './components/legend.tsx'
import { type ListedKind, NeighbourList } from './components/neighbour-list.tsx'
import { SceneMenu } from './components/scene-menu.tsx'
import { canArrange, SceneToolbar } from './components/scene-toolbar.tsx'
import { StylePanel } from './components/style-panel.tsx'
import { VertexSearch } from './components/vertex-search.tsx'
import classes from './explorer-page.module.css'
import { bundleKey, toCanvas } from './model/canvas-scene.ts'
import { chosenElements } from './model/deletion.ts'
import type { PageSize } from './model/expansion.ts'
import { SAVED_VERTICES_MAX } from './model/saved-scene.ts'
import { collapse, type Elements, emptyScene, hideVertices, remainderKey } from './model/scene.ts'
import { type Looks, looksOf } from './model/scene-style.ts'
import { type Explorer, useExplorer } from './use-explorer.ts'
import { useExplorerCommands } from './use-explorer-commands.ts'
import { useLinkedScene, useStartVertex } from './use-scene-links.ts'

/** Types offered to begin with; the others are found by name. */
const START_TYPES_MAX = 8

export function ExplorerPage({ graph }: { readonly graph: string }) {
  const explorer = useExplorer(graph)
  const counts = useQuery(countsQuery(graph))
  const [pageSize, setPageSize] = useState<PageSize>(preferences.get().expandLimit)
  const [layout, setLayout] = useState<LayoutName>('force')
  const [pane, setPane] = useState<Pane>('inspector')
  const [listed, setListed] = useState<ListedKind | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const [doomed, setDoomed] = useState<Elements | null>(null)
  const canvas = useRef<CanvasHandle>(null)
  useStartVertex(graph, explorer)
  useTravels(explorer, canvas)
  useLinkedScene(explorer)
  const types = useMemo(() => counts.data?.vertices.map(({ type }) => type) ?? [], [counts.data])
  const totals = useMemo(
    () => new Map(counts.data?.vertices.map(({ type, count }) => [type, count])),
    [counts.data],
  )
  const looks = useLooks(explorer)
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
  }
  return (
    <Page title="Explorer" layout="fill" status={<SceneStatus explorer={explorer} />}>
      <div className={classes.page}>
        <Toolbar label="Explorer">
          <VertexSearch graph={graph} types={types} onAdd={explorer.add} />
          <SceneToolbar
            {...{ explorer, pageSize, layout }}
            onPageSize={setPageSize}
            onLayout={arrange}
            onFit={() => canvas.current?.fit()}
            exportMenu={<ExportMenu {...{ graph, explorer, canvas }} />}
          />
          <SceneMenu graph={graph} scene={explorer.scene} onOpen={explorer.open} />
        </Toolbar>
        {explorer.error !== null && (
          <ErrorNotice
            title="This could not be done"
            error={explorer.error}
            onDismiss={explorer.dismissError}
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
          first={
            <Stage
              {...{ graph, explorer, pageSize, totals, unfolded, looks }}
              onUnfold={(key) => setUnfolded(toggled(unfolded, key))}
              onDelete={doom}
              canvas={canvas}
              arrange={arrange}
              layout={layout}
            />
          }
          second={
            <Tabs
              label="Details"
              layout="fill"
              value={pane}
              onChange={setPane}
              tabs={[
                {
                  id: 'inspector',
                  label: 'Inspector',
                  content: (
                    <Inspector
                      {...{ graph, explorer, pageSize, unfolded }}
                      onList={list}
                      onDelete={doom}
                    />
                  ),
                },
                {
                  id: 'elements',
                  label: `Elements ${elementCount(explorer) || ''}`,
                  content: <ElementsTable {...{ explorer, unfolded, looks }} />,
                },
                { id: 'style', label: 'Style', content: <StylePanel explorer={explorer} /> },
                ...(listed === null ? [] : [listTab({ graph, explorer, listed, closeList })]),
              ]}
            />
          }
        />
      </div>
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
function useTravels({ travels, scene }: Explorer, canvas: StageProps['canvas']): void {
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

interface StageProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly pageSize: PageSize
  readonly totals: ReadonlyMap<string, number>
  readonly unfolded: ReadonlySet<string>
  readonly looks: Looks
  readonly onUnfold: (bundle: string) => void
  /** Asks whether what is selected is to be deleted from the graph. */
  readonly onDelete: () => void
  readonly canvas: React.RefObject<CanvasHandle | null>
  readonly layout: LayoutName
  readonly arrange: (name: LayoutName) => void
}

function Stage(props: StageProps) {
  const { graph, explorer, pageSize, totals, unfolded, looks, canvas } = props
  const { scene, degrees } = explorer
  const { vertices, edges, remainders, hidden } = scene
  // Places are left out on purpose: the canvas made them, and a new scene would make it look again.
  const drawn = useMemo(
    () =>
      toCanvas({ ...emptyScene, vertices, edges, remainders, hidden }, degrees, unfolded, looks),
    [vertices, edges, remainders, hidden, degrees, unfolded, looks],
  )
  const open = (id: string) => {
    const edge = edges.get(id)
    if (edge !== undefined) props.onUnfold(bundleKey(edge))
    else if (scene.remainders.has(id)) void explorer.expandRemainder(id, pageSize)
    else if (scene.vertices.has(id)) void explorer.expandAll(id, pageSize)
  }
  const { fold, hide } = actionsOf(explorer)
  useExplorerCommands(
    {
      arrange: () => props.arrange(props.layout),
      expand: open,
      collapse: fold,
      hide,
      remove: props.onDelete,
      undo: explorer.undo,
      redo: explorer.redo,
    },
    explorer.selection.find((id) => scene.vertices.has(id)),
    explorer.selection.some((id) => scene.vertices.has(id) || edges.has(id)),
  )
  const onVertex: Readonly<Record<string, (key: string) => void>> = {
    x: open,
    c: fold,
    h: hide,
    delete: hide,
  }
  const keys = (event: KeyboardEvent, cursor: string | null) => {
    const key = keyName(event)
    if (key === 'l') props.arrange(props.layout)
    else if (key === 'shift+delete') props.onDelete()
    else if (cursor !== null && scene.vertices.has(cursor)) onVertex[key]?.(cursor)
  }
  if (vertices.size === 0) return <Start {...{ graph, totals, explorer }} />
  return (
    <div className={classes.stage}>
      <GraphCanvas
        label={`Neighbourhood in ${graph}`}
        scene={drawn}
        selection={explorer.selection}
        initialPositions={scene.positions}
        onSelect={explorer.select}
        onOpen={open}
        onMove={explorer.move}
        onSettle={explorer.settle}
        onKey={keys}
        minimap
        handleRef={canvas}
      />
      <Legend {...{ explorer, looks, totals }} />
      <CrowdNotice vertexCount={vertices.size} />
    </div>
  )
}

/** Beyond what the settings call fluent; and beyond what a reload brings back. */
function CrowdNotice({ vertexCount }: { readonly vertexCount: number }) {
  const { canvasLimit } = usePreferences()
  const isCrowded = vertexCount > canvasLimit
  const isUnsaved = vertexCount > SAVED_VERTICES_MAX
  if (!isCrowded && !isUnsaved) return null
  return (
    <p className={classes.crowded} role="status">
      {formatCount(vertexCount)} vertices
      {isCrowded && ': collapse or hide some to keep it fluent'}
      {isUnsaved && `; a reload keeps up to ${formatCount(SAVED_VERTICES_MAX)}`}.
    </p>
  )
}

interface StartProps {
  readonly graph: string
  /** Vertices of each type in the database. */
  readonly totals: ReadonlyMap<string, number>
  readonly explorer: Explorer
}

/** Nothing drawn yet: a search, or one vertex of some type to begin with. */
function Start({ graph, totals, explorer }: StartProps) {
  const begin = async (type: string) => {
    try {
      const { vertices } = await findVertices(graph, { kind: 'type', type }, { limit: 1 })
      explorer.add(vertices)
    } catch (error) {
      explorer.fail(error)
    }
  }
  const filled = [...totals].filter(([, count]) => count > 0).map(([type]) => type)
  const others = filled.length - START_TYPES_MAX
  const isEmpty = totals.size > 0 && filled.length === 0
  return (
    <EmptyState
      icon={<Waypoints size={28} />}
      text={
        isEmpty
          ? 'This graph has no vertices yet: load some on the Data page.'
          : 'Find a vertex above, or begin with any one of a type, and follow its edges.'
      }
      {...(others > 0 && { hint: `${counted(others, 'more type', 'more types')}: find by name.` })}
      actions={filled.slice(0, START_TYPES_MAX).map((type) => (
        <Button key={type} variant="default" onClick={() => void begin(type)}>
          <TypeTag name={type} />
        </Button>
      ))}
    />
  )
}

function SceneStatus({ explorer }: { readonly explorer: Explorer }) {
  const { vertices, edges, hidden } = explorer.scene
  if (vertices.size === 0) return null
  const parts = [
    counted(vertices.size, 'vertex', 'vertices'),
    counted(edges.size, 'edge', 'edges'),
    ...(hidden.size > 0 ? [`${formatCount(hidden.size)} hidden`] : []),
  ]
  return <span role="status">{explorer.busy ? 'Reading…' : parts.join(' · ')}</span>
}

const elementCount = ({ scene }: Explorer): number => scene.vertices.size + scene.edges.size

const actionsOf = (explorer: Explorer) => ({
  fold: (key: string) => explorer.change('Collapse', (current) => collapse(current, key)),
  hide: (key: string) => explorer.change('Hide', (current) => hideVertices(current, [key])),
})
