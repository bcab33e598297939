/**
 * A catalogue that was read from the log, with the definitions that are as they were: tables, plans
 * and caches tell by identity whether a type has changed, as they do on the server that changed it.
 */
import type { Catalog } from '#catalog/types.ts'

export function withKnownParts(before: Catalog, next: Catalog): Catalog {
  return {
    ...next,
    vertexTypes: kept(before.vertexTypes, next.vertexTypes),
    edgeTypes: kept(before.edgeTypes, next.edgeTypes),
    graphs: kept(before.graphs, next.graphs),
    tuples:
      before.tuples === next.tuples || isEqual(before.tuples, next.tuples)
        ? before.tuples
        : next.tuples,
  }
}

function kept<Part extends object>(
  before: readonly Part[],
  next: readonly Part[],
): readonly Part[] {
  if (before === next) return before
  const [old, present] = [new Set(before), new Set(next)]
  // Of an entry that says what has changed, most parts are those of before already.
  const gone = before.filter((part) => !present.has(part))
  const known = new Map(gone.map((part) => [JSON.stringify(part), part]))
  return next.map((part) => (old.has(part) ? part : (known.get(JSON.stringify(part)) ?? part)))
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
