/** The draft as a drawing; what is chosen or drawn here happens to the same draft as in the form. */
import { Button, Menu } from '@mantine/core'
import { Download, LayoutGrid, Maximize, Minus, Plus, Spline } from 'lucide-react'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { downloadBlob, downloadText } from '#lib/download.ts'
import { counted } from '#lib/format.ts'
import type { EdgePairModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import {
  type CanvasHandle,
  type LayoutName,
  layoutNames,
  type Scene,
  type SceneNode,
} from '#ui/graph-canvas/scene.ts'
import { ToolButton, Toolbar, ToolbarEnd } from '#ui/layout/toolbar.tsx'
import type { Component } from '../model/collapsed.ts'
import {
  componentId,
  edgeId,
  isComponentId,
  nodeId,
  schemaGraph,
  typeNameOf,
} from '../model/schema-graph.ts'
import { schemaGsql, schemaJson, schemaMarkdown } from '../model/schema-text.ts'
import classes from './schema.module.css'
import { type OpenedComponents, useLook, useOpenedComponents } from './use-opened-components.ts'

interface SchemaCanvasProps {
  readonly graph: string
  readonly live: SchemaModel
  readonly schema: SchemaModel
  readonly selected: string | null
  readonly onSelect: (name: string | null) => void
  readonly onOpen: (name: string) => void
  readonly onConnect: (pair: EdgePairModel) => void
}

const none: readonly string[] = []

export function SchemaCanvas(props: SchemaCanvasProps) {
  const { graph, live, schema, selected, onSelect, onOpen, onConnect } = props
  const handle = useRef<CanvasHandle>(null)
  const [connecting, setConnecting] = useState(false)
  const view = useOpenedComponents(schema, selected)
  const { closed } = view
  const scene = useMemo(() => sceneOf(live, schema, closed), [live, schema, closed])
  const selection = useMemo(() => elementsOf(schema, selected), [schema, selected])
  const { look, lookAt, chooseHere } = useLook(handle, {
    name: selected,
    elements: view.isLarge ? selection : none,
  })
  const open = (hub: string) => {
    lookAt(closed.find((one) => one.hub === hub)?.vertices.map(nodeId) ?? [])
    view.open(hub)
  }
  return (
    <div className={classes['canvas']}>
      <CanvasToolbar
        graph={graph}
        schema={schema}
        handle={handle}
        connecting={connecting}
        onConnecting={setConnecting}
        components={view}
      />
      <GraphCanvas
        label={`Schema of ${graph}`}
        scene={scene}
        selection={selection}
        connecting={connecting}
        handleRef={handle}
        onSelect={(ids) => {
          const id = ids.at(-1)
          if (id !== undefined && isComponentId(id)) return open(typeNameOf(id))
          const name = id === undefined ? null : typeNameOf(id)
          chooseHere(name)
          onSelect(name)
        }}
        onOpen={(id) => (isComponentId(id) ? open : onOpen)(typeNameOf(id))}
        onSettle={look}
        onConnect={(source, target) => {
          setConnecting(false)
          if (isComponentId(source) || isComponentId(target)) return
          onConnect({ from: typeNameOf(source), to: typeNameOf(target) })
        }}
      />
    </div>
  )
}

const layoutLabels: Readonly<Record<LayoutName, string>> = {
  force: 'Force',
  hierarchy: 'Hierarchy',
  concentric: 'Concentric by degree',
  radial: 'Radial from the selection',
  grid: 'Grid',
}

interface CanvasToolbarProps {
  readonly graph: string
  readonly schema: SchemaModel
  readonly handle: RefObject<CanvasHandle | null>
  readonly connecting: boolean
  readonly onConnecting: (on: boolean) => void
  readonly components: OpenedComponents
}

function CanvasToolbar(props: CanvasToolbarProps) {
  const { graph, schema, handle, connecting, onConnecting, components } = props
  return (
    <Toolbar label="Canvas">
      <ToolButton
        label="Draw an edge type"
        pressed={connecting}
        onClick={() => onConnecting(!connecting)}
      >
        <Spline size={15} aria-hidden="true" />
      </ToolButton>
      {connecting && <span className={classes['hint']}>Drag from one vertex type to another.</span>}
      {components.isLarge && (
        <Button
          variant="subtle"
          onClick={components.closed.length > 0 ? components.openAll : components.closeAll}
        >
          {components.closed.length > 0 ? 'Open all components' : 'Close components'}
        </Button>
      )}
      <ToolbarEnd>
        <Menu>
          <Menu.Target>
            <ToolButton label="Arrange">
              <LayoutGrid size={15} aria-hidden="true" />
            </ToolButton>
          </Menu.Target>
          <Menu.Dropdown>
            {layoutNames.map((name) => (
              <Menu.Item key={name} onClick={() => void handle.current?.layout(name)}>
                {layoutLabels[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <ToolButton label="Zoom in" onClick={() => handle.current?.zoomBy(1.25)}>
          <Plus size={15} aria-hidden="true" />
        </ToolButton>
        <ToolButton label="Zoom out" onClick={() => handle.current?.zoomBy(0.8)}>
          <Minus size={15} aria-hidden="true" />
        </ToolButton>
        <ToolButton label="Fit to view" onClick={() => handle.current?.fit()}>
          <Maximize size={15} aria-hidden="true" />
        </ToolButton>
        <Menu position="bottom-end">
          <Menu.Target>
            <ToolButton label="Export">
              <Download size={15} aria-hidden="true" />
            </ToolButton>
          </Menu.Target>
          <Menu.Dropdown>
            {exportsOf(graph, schema, handle).map(({ label, save }) => (
              <Menu.Item key={label} onClick={() => void save()}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </ToolbarEnd>
    </Toolbar>
  )
}

function exportsOf(graph: string, schema: SchemaModel, handle: RefObject<CanvasHandle | null>) {
  const name = `${graph}-schema`
  return [
    {
      label: 'Picture as PNG',
      save: async () => {
        const canvas = handle.current
        if (canvas !== null) downloadBlob(`${name}.png`, await canvas.exportPng())
      },
    },
    {
      label: 'Picture as SVG',
      save: () => {
        const canvas = handle.current
        if (canvas !== null) downloadText(`${name}.svg`, canvas.exportSvg(), 'image/svg+xml')
      },
    },
    { label: 'JSON', save: () => downloadText(`${name}.json`, schemaJson(schema)) },
    {
      label: 'GSQL',
      save: () => downloadText(`${name}.gsql`, schemaGsql(graph, schema), 'text/plain'),
    },
    {
      label: 'Markdown',
      save: () => downloadText(`${name}.md`, schemaMarkdown(graph, schema), 'text/markdown'),
    },
  ]
}

/** Components that are closed stand as one node each, without what is in them. */
function sceneOf(live: SchemaModel, schema: SchemaModel, closed: readonly Component[]): Scene {
  const { nodes, edges } = schemaGraph(live, schema)
  const inside = new Set(closed.flatMap(({ vertices }) => vertices.map(nodeId)))
  const shown = nodes.filter(({ id }) => !inside.has(id))
  return {
    nodes: [
      ...closed.map(componentNode),
      ...shown.map(({ id, typeName, mark }) => ({
        id,
        typeName,
        mark,
        label: typeName,
        description: `Vertex type ${typeName}`,
        variant: 'card' as const,
      })),
    ],
    edges: edges
      .filter(({ from }) => !inside.has(from))
      .map(({ id, typeName, from, to, directed, mark }) => ({
        id,
        typeName,
        directed,
        mark,
        label: typeName,
        source: from,
        target: to,
      })),
  }
}

function componentNode({ hub, vertices, edgeCount }: Component): SceneNode {
  return {
    id: componentId(hub),
    typeName: hub,
    label: `${hub} and ${vertices.length - 1} more`,
    description: `${counted(vertices.length, 'vertex type', 'vertex types')} joined by ${counted(edgeCount, 'edge type', 'edge types')} around ${hub}: opens them`,
    variant: 'card',
  }
}

/** A vertex type is one node; an edge type is as many edges as it has pairs. */
function elementsOf(schema: SchemaModel, selected: string | null): readonly string[] {
  const edge = schema.edges.find(({ name }) => name === selected)
  if (edge !== undefined) return edge.pairs.map(({ from, to }) => edgeId(edge.name, from, to))
  return selected === null ? [] : [nodeId(selected)]
}
