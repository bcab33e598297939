/** The explorer: find a vertex, see what hangs on it before drawing it, follow it. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { preferences, usePreferences } from '#lib/preferences.ts'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import type { CanvasHandle, LayoutName } from '#ui/graph-canvas/scene.ts'
import { Page } from '#ui/page.tsx'
import { SplitPane } from '#ui/split-pane.tsx'
import { EmptyState, ErrorNotice } from '#ui/states.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Toolbar } from '#ui/toolbar.tsx'
import { countsQuery, findVertices } from './api/explorer.ts'
import { ElementsTable } from './components/elements-table.tsx'
import { Inspector } from './components/inspector.tsx'
import { Legend } from './components/legend.tsx'
import { SceneToolbar } from './components/scene-toolbar.tsx'
import { VertexSearch } from './components/vertex-search.tsx'
import classes from './explorer-page.module.css'
import { toCanvas } from './model/canvas-scene.ts'
import type { PageSize } from './model/expansion.ts'
import { collapse, hideVertices, parseVertexKey } from './model/scene.ts'
import { type Explorer, useExplorer } from './use-explorer.ts'

const SAMPLE_SIZE = 1

export function ExplorerPage({ graph }: { readonly graph: string }) {
  const explorer = useExplorer(graph)
  const counts = useQuery(countsQuery(graph))
  const [pageSize, setPageSize] = useState<PageSize>(preferences.get().expandLimit)
  const [layout, setLayout] = useState<LayoutName>('force')
  const [pane, setPane] = useState<'inspector' | 'elements'>('inspector')
  const canvas = useRef<CanvasHandle>(null)
  useStartVertex(graph, explorer)
  const types = useMemo(() => counts.data?.vertices.map(({ type }) => type) ?? [], [counts.data])
  const totals = useMemo(
    () => new Map(counts.data?.vertices.map(({ type, count }) => [type, count])),
    [counts.data],
  )
  const arrange = (name: LayoutName) => {
    setLayout(name)
    void canvas.current?.layout(name)
  }
  return (
    <Page title="Explorer" layout="fill" status={<SceneStatus explorer={explorer} />}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: undo belongs to the page, wherever the focus is. */}
      <div className={classes.page} onKeyDown={(event) => undoKeys(event, explorer)}>
        <Toolbar label="Explorer">
          <VertexSearch graph={graph} types={types} onAdd={explorer.add} />
          <SceneToolbar
            {...{ explorer, pageSize, layout }}
            onPageSize={setPageSize}
            onLayout={arrange}
            onFit={() => canvas.current?.fit()}
            onExport={() => void download(canvas.current, graph)}
          />
        </Toolbar>
        {explorer.error !== null && (
          <ErrorNotice
            title="The neighbourhood could not be shown"
            error={explorer.error}
            onRetry={explorer.dismissError}
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
              {...{ graph, explorer, pageSize, totals, types }}
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
                  content: <Inspector {...{ graph, explorer, pageSize }} />,
                },
                {
                  id: 'elements',
                  label: `Elements ${explorer.scene.vertices.size || ''}`,
                  content: <ElementsTable explorer={explorer} />,
                },
              ]}
            />
          }
        />
      </div>
    </Page>
  )
}

interface StageProps {
  readonly graph: string
  readonly explorer: Explorer
  readonly pageSize: PageSize
  readonly totals: ReadonlyMap<string, number>
  readonly types: readonly string[]
  readonly canvas: React.RefObject<CanvasHandle | null>
  readonly layout: LayoutName
  readonly arrange: (name: LayoutName) => void
}

function Stage(props: StageProps) {
  const { graph, explorer, pageSize, totals, types, canvas } = props
  const { scene, degrees } = explorer
  const { canvasLimit } = usePreferences()
  const drawn = useMemo(() => toCanvas(scene, degrees), [scene, degrees])
  const open = (id: string) => {
    if (scene.remainders.has(id)) void explorer.expandRemainder(id, pageSize)
    else if (scene.vertices.has(id)) void explorer.expandAll(id, pageSize)
  }
  const keys = (event: KeyboardEvent, cursor: string | null) => {
    const key = event.key.toLowerCase()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'l') props.arrange(props.layout)
    if (cursor === null || !scene.vertices.has(cursor)) return
    if (key === 'x') open(cursor)
    if (key === 'c') explorer.change('Collapse', (current) => collapse(current, cursor))
    if (key === 'h' || key === 'delete') {
      explorer.change('Hide', (current) => hideVertices(current, [cursor]))
    }
  }
  if (scene.vertices.size === 0) return <Start {...{ graph, types, explorer }} />
  return (
    <div className={classes.stage}>
      <GraphCanvas
        label={`Neighbourhood in ${graph}`}
        scene={drawn}
        selection={explorer.selection}
        initialPositions={scene.positions}
        onSelect={explorer.select}
        onOpen={open}
        onMove={(_, after) => explorer.move(after)}
        onKey={keys}
        handleRef={canvas}
      />
      <Legend explorer={explorer} totals={totals} />
      {scene.vertices.size > canvasLimit && (
        <p className={classes.crowded} role="status">
          {scene.vertices.size.toLocaleString('en')} vertices: collapse or hide some to keep it
          fluent.
        </p>
      )}
    </div>
  )
}

interface StartProps {
  readonly graph: string
  readonly types: readonly string[]
  readonly explorer: Explorer
}

/** Nothing drawn yet: a search, or one vertex of some type to begin with. */
function Start({ graph, types, explorer }: StartProps) {
  const begin = async (type: string) => {
    const { vertices } = await findVertices(graph, { kind: 'type', type })
    explorer.add(vertices.slice(0, SAMPLE_SIZE))
  }
  return (
    <EmptyState
      icon={<Waypoints size={28} />}
      text="Find a vertex above, or begin with any one of a type, and follow its edges."
      actions={types.slice(0, 6).map((type) => (
        <Button key={type} variant="default" onClick={() => void begin(type)}>
          A {type}
        </Button>
      ))}
    />
  )
}

function SceneStatus({ explorer }: { readonly explorer: Explorer }) {
  const { vertices, edges, hidden } = explorer.scene
  if (vertices.size === 0) return null
  const parts = [
    `${vertices.size.toLocaleString('en')} ${vertices.size === 1 ? 'vertex' : 'vertices'}`,
    `${edges.size.toLocaleString('en')} ${edges.size === 1 ? 'edge' : 'edges'}`,
    ...(hidden.size > 0 ? [`${hidden.size.toLocaleString('en')} hidden`] : []),
  ]
  return <span role="status">{explorer.busy ? 'Reading…' : parts.join(' · ')}</span>
}

/** `?vertex=Type:id` from a link: other pages and other people lead here. */
function useStartVertex(graph: string, explorer: Explorer): void {
  const [search, setSearch] = useSearchParams()
  const wanted = search.get('vertex')
  const { add } = explorer
  useEffect(() => {
    if (wanted === null) return
    const { type, id } = parseVertexKey(wanted.replace(':', ' '))
    let current = true
    findVertices(graph, { kind: 'ids', type, ids: [id] }).then(
      ({ vertices }) => {
        if (!current) return
        add(vertices)
        setSearch({}, { replace: true })
      },
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [wanted, graph, add, setSearch])
}

function undoKeys(event: KeyboardEvent, explorer: Explorer): void {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
  if (event.target instanceof HTMLInputElement) return
  event.preventDefault()
  if (event.shiftKey) explorer.redo()
  else explorer.undo()
}

async function download(canvas: CanvasHandle | null, graph: string): Promise<void> {
  if (canvas === null) return
  const url = URL.createObjectURL(await canvas.exportPng())
  const link = document.createElement('a')
  link.href = url
  link.download = `${graph}.png`
  link.click()
  URL.revokeObjectURL(url)
}
