/** What a mutation batch did: the counts of contract 2.1 and what its flags refused. */
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
  /** Entries refused by new_vertex_only (exist already) or update_vertex_only (do not exist). */
  readonly skippedVertices: readonly VertexName[]
  readonly skippedEdges: number
  /** Endpoints that a must-exist flag missed, each once, in input order. */
  readonly missingEndpoints: readonly VertexName[]
  readonly deletedVertices: number
  readonly deletedEdges: number
  /** The batch was atomic and a flag refused an entry: nothing was written. */
  readonly rejected: boolean
}

/** An outcome being counted. */
export class OutcomeBuilder {
  acceptedVertices = 0
  acceptedEdges = 0
  skippedEdges = 0
  deletedVertices = 0
  deletedEdges = 0
  rejected = false
  readonly skippedVertices: VertexName[] = []
  readonly missingEndpoints: VertexName[] = []
  readonly #missing = new Set<string>()

  missEndpoint(typeId: number, id: string): void {
    const key = `${typeId}:${id}`
    if (this.#missing.has(key)) return
    this.#missing.add(key)
    this.missingEndpoints.push({ typeId, id })
  }

  get hasRefusals(): boolean {
    return this.skippedVertices.length > 0 || this.skippedEdges > 0
  }

  finish(sequence: number): MutationOutcome {
    return {
      sequence,
      acceptedVertices: this.acceptedVertices,
      acceptedEdges: this.acceptedEdges,
      skippedVertices: this.skippedVertices,
      skippedEdges: this.skippedEdges,
      missingEndpoints: this.missingEndpoints,
      deletedVertices: this.deletedVertices,
      deletedEdges: this.deletedEdges,
      rejected: this.rejected,
    }
  }
}
