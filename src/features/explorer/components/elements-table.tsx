/** Everything on the canvas as tables: the accessible view of the same scene and selection. */
import { SegmentedControl } from '@mantine/core'
import { useMemo, useState } from 'react'
import { formatCount } from '#lib/format.ts'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import { edgesBehind, selectedEdges, shownName, vertexName } from '../model/canvas-scene.ts'
import { type Scene, type SceneEdge, type SceneVertex, visible } from '../model/scene.ts'
import type { Looks } from '../model/scene-style.ts'
import type { Explorer } from '../use-explorer.ts'
import classes from './elements-table.module.css'

interface ElementsTableProps {
  readonly explorer: Explorer
  /** Bundles of parallel edges that are drawn one by one. */
  readonly unfolded: ReadonlySet<string>
  readonly looks: Looks
}

interface VertexRow {
  readonly vertex: SceneVertex
  readonly label: string
  readonly drawn: number
  readonly degree: number | undefined
}

interface EdgeRow {
  readonly edge: SceneEdge
  readonly from: string
  readonly to: string
}

export function ElementsTable({ explorer, unfolded, looks }: ElementsTableProps) {
  const { scene, degrees, selection, select } = explorer
  const [kind, setKind] = useState<'vertices' | 'edges'>('vertices')
  const vertices = useMemo(() => vertexRows(scene, degrees, looks), [scene, degrees, looks])
  const edges = useMemo(() => edgeRows(scene, looks), [scene, looks])
  const selected = useMemo(() => {
    const keys = selectedEdges(scene, selection, unfolded).map(({ key }) => key)
    return new Set([...selection, ...keys])
  }, [scene, selection, unfolded])
  /** A bundle is drawn as its first edge, and selected or not as a whole. */
  const selectRows = (keys: readonly string[], acted: string) => {
    const drawnOf = (key: string) => edgesBehind(scene, key, unfolded)[0]?.key ?? key
    const dropped = keys.includes(acted) ? null : drawnOf(acted)
    const drawn = new Set(keys.map(drawnOf))
    select([...drawn].filter((key) => key !== dropped))
  }
  return (
    <div className={classes.elements}>
      <SegmentedControl
        aria-label="Elements shown"
        value={kind}
        onChange={(value) => setKind(value === 'edges' ? 'edges' : 'vertices')}
        data={[
          { value: 'vertices', label: `Vertices ${formatCount(vertices.length)}` },
          { value: 'edges', label: `Edges ${formatCount(edges.length)}` },
        ]}
      />
      <p className={classes.hint}>Ctrl and Shift select several rows.</p>
      {kind === 'vertices' ? (
        <DataTable
          id="explorer.vertices"
          label="Vertices on the canvas"
          rows={vertices}
          columns={vertexColumns}
          rowKey={({ vertex }) => vertex.key}
          emptyText="Nothing on the canvas."
          selectedKeys={selected}
          onSelectKeys={(keys, { vertex }) => selectRows(keys, vertex.key)}
          maxHeight="fill"
        />
      ) : (
        <DataTable
          id="explorer.edges"
          label="Edges on the canvas"
          rows={edges}
          columns={edgeColumns}
          rowKey={({ edge }) => edge.key}
          emptyText="No edge on the canvas."
          selectedKeys={selected}
          onSelectKeys={(keys, { edge }) => selectRows(keys, edge.key)}
          maxHeight="fill"
        />
      )}
    </div>
  )
}

function vertexRows(
  scene: Scene,
  degrees: ReadonlyMap<string, number>,
  looks: Looks,
): readonly VertexRow[] {
  const { vertices, edges } = visible(scene)
  const drawn = new Map<string, number>()
  const count = (key: string) => drawn.set(key, (drawn.get(key) ?? 0) + 1)
  for (const { from, to } of edges) {
    count(from)
    if (to !== from) count(to)
  }
  return vertices.map((vertex) => ({
    vertex,
    label: shownName(looks.of.get(vertex.key)?.label ?? vertexName(vertex)),
    drawn: drawn.get(vertex.key) ?? 0,
    degree: degrees.get(vertex.key),
  }))
}

function edgeRows(scene: Scene, looks: Looks): readonly EdgeRow[] {
  const labelOf = (key: string) => {
    const vertex = scene.vertices.get(key)
    return shownName(looks.of.get(key)?.label ?? (vertex === undefined ? key : vertexName(vertex)))
  }
  return visible(scene).edges.map((edge) => ({
    edge,
    from: labelOf(edge.from),
    to: labelOf(edge.to),
  }))
}

function Name({ text }: { readonly text: string }) {
  return (
    <span className={classes.name} title={text}>
      {text}
    </span>
  )
}

const vertexColumns: readonly Column<VertexRow>[] = [
  {
    id: 'type',
    header: 'Type',
    cell: ({ vertex }) => <TypeTag name={vertex.type} />,
    sortValue: ({ vertex }) => vertex.type,
  },
  {
    id: 'label',
    header: 'Vertex',
    cell: ({ label }) => <Name text={label} />,
    sortValue: ({ label }) => label,
  },
  { id: 'id', header: 'Id', cell: ({ vertex }) => vertex.id, sortValue: ({ vertex }) => vertex.id },
  {
    id: 'drawn',
    header: 'Edges drawn',
    align: 'end',
    cell: ({ drawn }) => formatCount(drawn),
    sortValue: ({ drawn }) => drawn,
  },
  {
    id: 'degree',
    header: 'Edges in all',
    align: 'end',
    cell: ({ degree }) => (degree === undefined ? '–' : formatCount(degree)),
    sortValue: ({ degree }) => degree,
  },
]

const edgeColumns: readonly Column<EdgeRow>[] = [
  {
    id: 'type',
    header: 'Type',
    cell: ({ edge }) => <TypeTag name={edge.type} kind="edge" />,
    sortValue: ({ edge }) => edge.type,
  },
  {
    id: 'from',
    header: 'From',
    cell: ({ from }) => <Name text={from} />,
    sortValue: ({ from }) => from,
  },
  { id: 'to', header: 'To', cell: ({ to }) => <Name text={to} />, sortValue: ({ to }) => to },
  {
    id: 'discriminator',
    header: 'Discriminator',
    cell: ({ edge }) => edge.discriminator,
    sortValue: ({ edge }) => edge.discriminator,
  },
]
