import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AttributeType } from '#catalog/types.ts'
import { VALUE_PIECE_BYTES } from '#kernel/limits.ts'
import { Versions } from '../memory/versions.ts'
import { encodeNested, tupleLookup } from '../mutate/frame-values.ts'
import type { Column } from './column.ts'
import { makeColumn } from './make-column.ts'
import { valueAt } from './read.ts'

const list: AttributeType = { kind: 'LIST', element: { kind: 'STRING' } }

function column(type: AttributeType): Column {
  const memory = { meter: { bytes: 0 }, versions: new Versions() }
  return makeColumn({ id: 1, name: 'x', type }, [], memory, 8)
}

function encoded(...texts: readonly string[]): Uint8Array {
  return encodeNested(list, texts, tupleLookup([]))
}

function write(target: Column, row: number, ...texts: readonly string[]): void {
  target.writeParts(row, [encoded(...texts)])
}

const long = (letter: string) => letter.repeat(3 * VALUE_PIECE_BYTES)

describe('values that are moved to another heap', () => {
  it('go there in pieces, and rows that change meanwhile have what they have now', () => {
    const lists = column(list)
    const values = ['a', 'b', 'c', 'd'].map(long)
    for (const old of ['x', 'y']) for (const row of values.keys()) write(lists, row, long(old))
    for (const [row, text] of values.entries()) write(lists, row, text, 'short')
    expect(lists.isWasteful).toBe(true)
    const pieces = lists.compactInPieces()
    let count = 0
    for (const _piece of pieces) {
      count += 1
      // While it is moved, behind it, and again.
      if (count === 2) write(lists, 0, 'changed')
      if (count === 7) write(lists, 0, long('e'))
      if (count === 9) lists.forget(3)
    }
    expect(count).toBeGreaterThanOrEqual(9)
    const expected = [[long('e')], [values[1], 'short'], [values[2], 'short'], []]
    expect(
      isDeepStrictEqual(
        [0, 1, 2, 3].map((row) => valueAt(lists.view(), row)),
        expected,
      ),
    ).toBe(true)
    expect(lists.isWasteful).toBe(false)
  })

  it('are where a long value is, that was under way when the move ended', () => {
    const lists = column(list)
    for (const text of ['a', 'b', 'c']) write(lists, 0, long(text))
    write(lists, 1, 'beside')
    const move = lists.compactInPieces()
    const pieces = lists.writeInPieces(2, [encoded(long('d'))])
    for (let piece = 0; piece < 2; piece++) expect(pieces.next().done).toBe(false)
    while (move.next().done !== true);
    while (pieces.next().done !== true);
    const expected = [[long('c')], ['beside'], [long('d')]]
    expect(
      isDeepStrictEqual(
        [0, 1, 2].map((row) => valueAt(lists.view(), row)),
        expected,
      ),
    ).toBe(true)
  })
})

describe('a long string of a dictionary', () => {
  it('is written in pieces, once, and strings that nobody has leave in pieces', () => {
    const texts = column({ kind: 'STRING' })
    const bytesOf = (text: string) => new TextEncoder().encode(text)
    const piecesOf = (row: number, text: string) => {
      let count = 0
      for (const _piece of texts.writeInPieces(row, [bytesOf(text)])) count += 1
      return count
    }
    texts.writeParts(7, [bytesOf('short')])
    expect(piecesOf(0, long('a'))).toBeGreaterThanOrEqual(3)
    const sizeBytes = texts.heapUse().byteCount
    piecesOf(1, long('a'))
    expect(texts.heapUse().byteCount).toBe(sizeBytes)
    let most = 0
    for (const letter of ['b', 'c', 'd', 'e', 'f', 'g'])
      most = Math.max(most, piecesOf(2, long(letter)))
    // More than for the string alone.
    expect(most).toBeGreaterThanOrEqual(6)
    expect(texts.heapUse().byteCount).toBeLessThan(5 * sizeBytes)
    const expected = [long('a'), long('a'), long('g'), 'short']
    expect(
      isDeepStrictEqual(
        [0, 1, 2, 7].map((row) => valueAt(texts.view(), row)),
        expected,
      ),
    ).toBe(true)
  })
})
