/** Operation `+` on collections and tuples in their encoded form. */
import type { AttributeType, TupleType } from '#catalog/types.ts'
import { EncodedReader } from './encoded.ts'
import { encodedCount, ItemMerge } from './merge-items.ts'

/**
 * What op `+` makes of two encoded values, in parts: LIST append, SET union, MAP merge in which the new
 * value of a key replaces the old one. Tuples and FIXED_BINARY are replaced. Sets and maps are merged by
 * the caller, who may pause.
 */
export function addEncoded(
  type: AttributeType,
  tuples: readonly TupleType[],
  old: Uint8Array,
  added: Uint8Array,
): readonly Uint8Array[] | ItemMerge {
  switch (type.kind) {
    case 'LIST':
      return joinLists(old, added, tuples)
    case 'SET':
    case 'MAP':
      return new ItemMerge(type, new EncodedReader(old, tuples), new EncodedReader(added, tuples))
    default:
      return [added]
  }
}

/** The elements stay as they are, so that a list grows without being read. */
function joinLists(old: Uint8Array, added: Uint8Array, tuples: readonly TupleType[]): Uint8Array[] {
  if (old.length === 0 || added.length === 0) return [old.length === 0 ? added : old]
  const [first, second] = [new EncodedReader(old, tuples), new EncodedReader(added, tuples)]
  const head = encodedCount(first.varint() + second.varint())
  return [head, old.subarray(first.position), added.subarray(second.position)]
}
