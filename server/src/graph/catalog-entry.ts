/**
 * Log entries of kind 2: the complete catalogue after a schema change, as JSON. Version 2 says that
 * the change converts columns, which a program that knows version 1 only would make empty.
 */
import type { Catalog } from '#catalog/types.ts'
import { DbError, newerFormat } from '#kernel/errors.ts'
import { FRAME_VERSION, frameKind } from './mutate/frame-format.ts'

const HEADER_SIZE_BYTES = 2
const CONVERTING_VERSION = 2

export function encodeCatalog(catalog: Catalog, isConverting = false): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(catalog))
  const bytes = new Uint8Array(HEADER_SIZE_BYTES + json.length)
  bytes[0] = frameKind.catalog
  bytes[1] = isConverting ? CONVERTING_VERSION : FRAME_VERSION
  bytes.set(json, HEADER_SIZE_BYTES)
  return bytes
}

/** @throws DbError UNSUPPORTED_FORMAT, CORRUPT_LOG */
export function decodeCatalog(entry: Uint8Array): Catalog {
  if (entry[0] !== frameKind.catalog) throw new DbError('CORRUPT_LOG', 'not a catalogue entry')
  const version = entry[1]!
  if (version !== FRAME_VERSION && version !== CONVERTING_VERSION) {
    throw newerFormat('the catalogue in the commit log has', version, CONVERTING_VERSION)
  }
  try {
    return JSON.parse(new TextDecoder().decode(entry.subarray(HEADER_SIZE_BYTES))) as Catalog
  } catch (cause) {
    throw new DbError('CORRUPT_LOG', 'catalogue entry is no JSON', { cause })
  }
}
