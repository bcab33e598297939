/** Where the two engines disagree about deleted vertices, one row per segment. */
export interface Mismatch {
  readonly engine: string
  readonly vertexType: string
  readonly segment: number
  readonly gpeHash: string
  readonly gseHash: string
}

interface CheckResult {
  readonly GPE: string
  readonly UnSyncList: readonly {
    readonly Segid: number
    readonly VertexType: string
    readonly GPEDelHash: number | bigint
    readonly IDSDelHash: number | bigint
  }[]
}

export function mismatches(results: readonly CheckResult[]): readonly Mismatch[] {
  return results.flatMap(({ GPE, UnSyncList }) =>
    UnSyncList.map((entry) => ({
      engine: GPE,
      vertexType: entry.VertexType,
      segment: entry.Segid,
      gpeHash: String(entry.GPEDelHash),
      gseHash: String(entry.IDSDelHash),
    })),
  )
}

/** RFC 4180. A type name needs no quotes: it is an identifier. */
export function mismatchesCsv(rows: readonly Mismatch[]): string {
  const lines = rows.map((row) =>
    [row.engine, row.vertexType, row.segment, row.gpeHash, row.gseHash].join(','),
  )
  return ['engine,vertex_type,segment,gpe_hash,gse_hash', ...lines, ''].join('\r\n')
}
