/** Arguments for library queries, guessed from the names and types of their parameters. */

export interface GraphNames {
  readonly vertexType: string
  readonly edgeType: string
  readonly reverseEdgeType: string
  /** A numeric edge attribute; empty: none. */
  readonly edgeNumber: string
  readonly vertexIds: readonly string[]
}

/** @param input the `input` of a signature: one key per parameter, its type as text */
export function algorithmArguments(
  input: readonly Readonly<Record<string, string>>[],
  names: GraphNames,
): Record<string, unknown> {
  const entries = input.flatMap((parameter) => Object.entries(parameter))
  return Object.fromEntries(
    entries.flatMap(([name, type]): [string, unknown][] => {
      const value = argumentFor(name, type.toLowerCase(), names)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Undefined: its default will do. */
function argumentFor(name: string, type: string, names: GraphNames): unknown {
  const isSet = type.startsWith('set<') || type.startsWith('bag<') || type.startsWith('list<')
  const one = type.includes('vertex')
    ? vertexFor(name, names)
    : type.includes('string')
      ? textFor(name, names)
      : undefined
  return one !== undefined && isSet ? [one] : one
}

function vertexFor(name: string, { vertexType, vertexIds }: GraphNames): unknown {
  const isTarget = /target|dest|sink|^t$|_b$|end/i.test(name)
  return { id: vertexIds[isTarget ? 1 : 0] ?? '', type: vertexType }
}

function textFor(name: string, names: GraphNames): string | undefined {
  if (/rev/i.test(name) && /e_?type|edge/i.test(name)) return names.reverseEdgeType
  if (/file|result|similarity_edge|output/i.test(name)) return undefined
  if (/^(?:e_?type|edge_?type)|_e_type|e_type|edge_type/i.test(name)) return names.edgeType
  if (/v_?type|vertex_type/i.test(name)) return names.vertexType
  if (/wt|weight|cost_attr|length_attr/i.test(name)) {
    return /type/i.test(name) ? 'FLOAT' : names.edgeNumber
  }
  if (/^(?:label|latitude|longitude)$/i.test(name)) return name
  return undefined
}
