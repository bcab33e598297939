/** The vertices and edges of a result, drawn; one chosen leads on to the Explorer. */
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '#lib/format.ts'
import { paths } from '#lib/paths.ts'
import { GraphCanvas } from '#ui/graph-canvas/graph-canvas.tsx'
import { TypeTag } from '#ui/theme/type-tag.tsx'
import type { ResultGraph, ResultVertex } from '../model/result.ts'
import classes from '../queries-page.module.css'

interface ResultCanvasProps {
  readonly drawing: ResultGraph
  readonly graph: string
  readonly name: string
}

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`

export function ResultCanvas({ drawing, graph, name }: ResultCanvasProps) {
  const [selection, setSelection] = useState<readonly string[]>([])
  const scene = useMemo(() => sceneOf(drawing), [drawing])
  const chosen = drawing.vertices.find((vertex) => keyOf(vertex) === selection[0])
  return (
    <div className={classes.canvas}>
      <CutNote drawing={drawing} />
      <GraphCanvas
        label={`Result of ${name}`}
        scene={scene}
        selection={selection}
        onSelect={setSelection}
      />
      {chosen !== undefined && (
        <p className={classes.chosen}>
          <TypeTag name={chosen.type} />
          <code>{chosen.id}</code>
          <Link to={paths.explorer(graph, { vertex: `${chosen.type}:${chosen.id}` })}>
            Open in the Explorer
          </Link>
        </p>
      )}
    </div>
  )
}

/** A cap is never silent. */
function CutNote({ drawing }: { readonly drawing: ResultGraph }) {
  const { vertices, edges, vertexCount, edgeCount } = drawing
  if (vertexCount === vertices.length && edgeCount === edges.length) return null
  return (
    <p className={classes.note} role="status">
      Drawn are {formatCount(vertices.length)} of {formatCount(vertexCount)} vertices
      {edgeCount > 0 && ` and ${formatCount(edges.length)} of ${formatCount(edgeCount)} edges`}; the
      table and the JSON have all.
    </p>
  )
}

function labelOf({ id, attributes }: ResultVertex): string {
  const name = attributes['name'] ?? attributes['title']
  return typeof name === 'string' && name !== '' ? name : id
}

function sceneOf({ vertices, edges }: ResultGraph) {
  return {
    nodes: vertices.map((vertex) => ({
      id: keyOf(vertex),
      typeName: vertex.type,
      label: labelOf(vertex),
      description: keyOf(vertex),
    })),
    edges: edges.map(({ type, directed, from, to }, position) => ({
      id: `edge ${position}`,
      source: keyOf(from),
      target: keyOf(to),
      typeName: type,
      label: type,
      directed,
      tinted: true,
    })),
  }
}
