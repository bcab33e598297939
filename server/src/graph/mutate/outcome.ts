/** What a mutation batch did: the counts of docs/reference/rest.md and what its flags refused. */
export interface VertexName {
  readonly typeId: number
  readonly id: string
}

export interface MutationOutcome {
  /** Sequence of the log entry. */
  readonly sequence: number
  /** Entries accepted, not distinct changes; vertices that edges brought along are not counted. */
  readonly acceptedVertices: number
  readonly acceptedEdges: number
  /** Vertices that edges brought along. */
  readonly createdEnds: number
  /** Entries refused by new_vertex_only (exist already) or update_vertex_only (do not exist). */
  readonly skippedVertices: readonly VertexName[]
  readonly skippedEdges: number
  /** Entries for vertices, not made because their ids were deleted permanently. */
  readonly retiredEntries: number
  /** Permanently deleted ids that entries or edges named, each once, in input order. */
  readonly retiredVertices: readonly VertexName[]
  /** Endpoints that a must-exist flag missed, each once, in input order. */
  readonly missingEndpoints: readonly VertexName[]
  readonly deletedVertices: number
  readonly deletedEdges: number
  /** The batch was atomic and an entry was refused, or it is in conflict: nothing was written. */
  readonly rejected: boolean
  /** What the batch expects of elements does not hold: others changed them. */
  readonly isInConflict: boolean
}

/** An outcome being counted. */
export class OutcomeBuilder {
  acceptedVertices = 0
  acceptedEdges = 0
  createdEnds = 0
  skippedEdges = 0
  retiredEntries = 0
  deletedVertices = 0
  deletedEdges = 0
  rejected = false
  isInConflict = false
  readonly skippedVertices: VertexName[] = []
  readonly missingEndpoints: VertexName[] = []
  readonly retiredVertices: VertexName[] = []
  readonly #missing = new Set<string>()
  readonly #retired = new Set<string>()

  missEndpoint(typeId: number, id: string): void {
    pushOnce(this.missingEndpoints, this.#missing, { typeId, id })
  }

  meetRetired(typeId: number, id: string): void {
    pushOnce(this.retiredVertices, this.#retired, { typeId, id })
  }

  get hasRefusals(): boolean {
    return this.skippedVertices.length + this.skippedEdges + this.retiredEntries > 0
  }

  finish(sequence: number): MutationOutcome {
    return {
      sequence,
      acceptedVertices: this.acceptedVertices,
      acceptedEdges: this.acceptedEdges,
      createdEnds: this.createdEnds,
      skippedVertices: this.skippedVertices,
      skippedEdges: this.skippedEdges,
      retiredEntries: this.retiredEntries,
      retiredVertices: this.retiredVertices,
      missingEndpoints: this.missingEndpoints,
      deletedVertices: this.deletedVertices,
      deletedEdges: this.deletedEdges,
      rejected: this.rejected,
      isInConflict: this.isInConflict,
    }
  }
}

function pushOnce(names: VertexName[], known: Set<string>, name: VertexName): void {
  const key = `${name.typeId}:${name.id}`
  if (known.has(key)) return
  known.add(key)
  names.push(name)
}
