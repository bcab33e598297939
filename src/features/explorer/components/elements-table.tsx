/** Everything on the canvas as a table: the accessible view of the same scene and selection. */
import { type Column, DataTable } from '#ui/data-table.tsx'
import { TypeTag } from '#ui/type-tag.tsx'
import { vertexLabel } from '../model/canvas-scene.ts'
import { type SceneVertex, visible } from '../model/scene.ts'
import type { Explorer } from '../use-explorer.ts'

interface ElementsTableProps {
  readonly explorer: Explorer
}

interface Row {
  readonly vertex: SceneVertex
  readonly drawn: number
  readonly degree: number | undefined
}

const columns: readonly Column<Row>[] = [
  {
    id: 'type',
    header: 'Type',
    cell: ({ vertex }) => <TypeTag name={vertex.type} />,
    sortValue: ({ vertex }) => vertex.type,
  },
  {
    id: 'label',
    header: 'Vertex',
    cell: ({ vertex }) => vertexLabel(vertex),
    sortValue: ({ vertex }) => vertexLabel(vertex),
  },
  { id: 'id', header: 'Id', cell: ({ vertex }) => vertex.id, sortValue: ({ vertex }) => vertex.id },
  {
    id: 'drawn',
    header: 'Edges drawn',
    align: 'end',
    cell: ({ drawn }) => drawn.toLocaleString('en'),
    sortValue: ({ drawn }) => drawn,
  },
  {
    id: 'degree',
    header: 'Edges in all',
    align: 'end',
    cell: ({ degree }) => degree?.toLocaleString('en') ?? '–',
    sortValue: ({ degree }) => degree,
  },
]

export function ElementsTable({ explorer }: ElementsTableProps) {
  const { vertices, edges } = visible(explorer.scene)
  const drawn = new Map<string, number>()
  for (const { from, to } of edges) {
    drawn.set(from, (drawn.get(from) ?? 0) + 1)
    if (to !== from) drawn.set(to, (drawn.get(to) ?? 0) + 1)
  }
  const rows = vertices.map((vertex) => ({
    vertex,
    drawn: drawn.get(vertex.key) ?? 0,
    degree: explorer.degrees.get(vertex.key),
  }))
  return (
    <DataTable
      label="Vertices on the canvas"
      rows={rows}
      columns={columns}
      rowKey={({ vertex }) => vertex.key}
      emptyText="Nothing on the canvas."
      selectedKey={explorer.selection[0]}
      onSelect={({ vertex }) => explorer.select([vertex.key])}
      maxHeight="fill"
    />
  )
}
