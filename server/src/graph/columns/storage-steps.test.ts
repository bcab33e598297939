/** A column that changes its storage: no value that is written waits for all rows, and none is lost. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Attribute, AttributeType } from '#catalog/types.ts'
import { createRandom } from '#kernel/prng.ts'
import { allocationFault, memoryRefused } from '../memory/allocate.ts'
import { PagedArray } from '../memory/paged.ts'
import { Versions } from '../memory/versions.ts'
import type { Column } from './column.ts'
import { makeColumn } from './make-column.ts'
import { stringAt, valueAt } from './read.ts'

const ROWS_PER_STEP = 64

const encoder = new TextEncoder()

function column(kind: 'STRING' | 'INT' | 'UINT', versions = new Versions()) {
  const type: AttributeType = { kind }
  const attribute: Attribute = { id: 1, name: 'x', type }
  const meter = { bytes: 0 }
  return { meter, made: makeColumn(attribute, [], { meter, versions }, 0) }
}

function writeText(target: Column, row: number, text: string): void {
  const bytes = encoder.encode(text)
  target.ensure(row + 1)
  target.writeBytes(row, bytes, { start: 0, length: bytes.length })
}

/** Few strings in many rows, and then as many others as make the first step. */
function begun(rowCount: number) {
  const { made, meter } = column('STRING')
  const texts: string[] = []
  const write = (row: number, text: string) => {
    writeText(made, row, text)
    texts[row] = text
  }
  for (let row = 0; row < rowCount; row++) write(row, `text ${row % 4}`)
  for (let row = 0; made.dictionary!.count * 2 < rowCount; row++) write(row, `distinct ${row}`)
  return { made, meter, texts, write }
}

afterEach(() => {
  allocationFault.before = null
  vi.restoreAllMocks()
})

describe('a text column on its way from codes to offsets', () => {
  it('copies 64 rows for each value that is written', () => {
    const { made, write } = begun(50_000)
    const stepCount = Math.ceil(made.capacity / ROWS_PER_STEP)
    for (let step = 2; step < stepCount; step++) write(step, `again ${step}`)
    expect(made.storage).toBe('code')
    write(0, 'the last step')
    expect(made.storage).toBe('offset')
  })

  it('has every value, whatever is written meanwhile', () => {
    const { made, meter, texts, write } = begun(20_000)
    const random = createRandom(161)
    let steps = 0
    for (; made.storage === 'code'; steps++) {
      const row = random.below(2) === 0 ? random.below(texts.length) : texts.length
      write(row, random.below(3) === 0 ? `text ${random.below(5)}` : `new ${steps}`)
      expect(meter.bytes).toBe(made.sizeBytes)
    }
    expect(steps).toBeGreaterThan(20_000 / ROWS_PER_STEP / 2)
    for (let more = 0; more < 500; more++) write(random.below(texts.length), `more ${more}`)
    const view = made.view()
    expect(texts.map((_text, row) => stringAt(view, row))).toEqual(texts)
    made.release()
    expect(meter.bytes).toBe(0)
  })

  it('does not change what an older view shows', () => {
    const { made, texts, write } = begun(20_000)
    const view = made.view()
    const seen = [...texts]
    for (let row = 20_000; made.storage === 'code'; row++) write(row, `row ${row}`)
    expect(seen.map((_text, row) => stringAt(view, row))).toEqual(seen)
  })

  it('is as it was while memory for the offsets is lacking, and goes on later', () => {
    const { made, meter } = column('STRING')
    const text = (row: number) => `value ${row}`
    for (let row = 0; row < 4_095; row++) writeText(made, row, text(row))
    made.ensure(10_000)
    allocationFault.before = (sizeBytes) => {
      throw memoryRefused(sizeBytes)
    }
    // The heap and the codes have room: what is refused is the array of offsets.
    let refused = 0
    for (let row = 4_095; row < 4_100; row++) {
      try {
        writeText(made, row, text(row))
      } catch {
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(0)
    allocationFault.before = null
    expect(made.storage).toBe('code')
    expect(meter.bytes).toBe(made.sizeBytes)
    for (let row = 4_095; row < 8_000; row++) writeText(made, row, text(row))
    expect(made.storage).toBe('offset')
    const view = made.view()
    for (let row = 0; row < 8_000; row++) expect(stringAt(view, row)).toBe(text(row))
  })

  it('is given up with its rows', () => {
    const { made, meter } = begun(20_000)
    made.releaseRows()
    expect(meter.bytes).toBe(made.dictionary!.sizeBytes)
    made.release()
    expect(meter.bytes).toBe(0)
  })
})

describe('a number column that widens', () => {
  const int = [0, -1, 1, 2 ** 31 - 1, -(2 ** 31)]
  const safe = [2 ** 31, -(2 ** 31) - 1, 2 ** 40 + 1, -(2 ** 40) - 1, 2 ** 53 - 1, -(2 ** 53 - 1)]
  const uint = [0, 1, 2 ** 32 - 1]
  const uintSafe = [2 ** 32, 2 ** 40 + 1, 2 ** 53 - 1]

  it.each([
    ['INT', int, [2 ** 40]],
    ['INT', int, [2n ** 63n - 1n]],
    ['INT', [...int, ...safe], [-(2n ** 63n)]],
    ['UINT', uint, [2 ** 53 - 1]],
    ['UINT', uint, [2n ** 64n - 1n]],
    ['UINT', [...uint, ...uintSafe], [2n ** 64n - 1n]],
  ] as const)('of %s has the values before the wider one (%#)', (kind, values, wider) => {
    const { made } = column(kind)
    const all = [...values, ...wider]
    made.ensure(all.length)
    for (const [row, value] of all.entries()) made.writeNumber(row, value)
    expect(all.map((_value, row) => valueAt(made.view(), row))).toEqual(all)
  })

  it('has its values when pages of it lie elsewhere', () => {
    const versions = new Versions()
    const { made } = column('INT', versions)
    const values = Array.from({ length: 20_000 }, (_, row) => row * 3)
    made.ensure(values.length)
    for (const [row, value] of values.entries()) made.writeNumber(row, value)
    const pin = versions.pin(null)
    const older = made.view()
    for (const row of [1, 5_000, 5_001, 19_999]) made.writeNumber(row, -row)
    expect(made.data.directory).not.toBeNull()
    made.writeNumber(7_000, 2n ** 62n)
    expect(made.storage).toBe('int64')
    const now = values.map((value, row) => {
      if (row === 7_000) return 2n ** 62n
      return [1, 5_000, 5_001, 19_999].includes(row) ? -row : value
    })
    expect(values.map((_value, row) => valueAt(older, row))).toEqual(values)
    expect(values.map((_value, row) => valueAt(made.view(), row))).toEqual(now)
    versions.release(pin)
  })

  it.each([
    ['doubles', 2 ** 40],
    ['64 bits', 2n ** 62n],
  ])('to %s copies whole stretches, and does not look for each row', (_name, wide) => {
    const { made } = column('INT')
    made.ensure(100_000)
    for (let row = 0; row < 100_000; row++) made.writeNumber(row, row)
    const looks = vi.spyOn(PagedArray.prototype, 'at')
    const bigints = vi.spyOn(globalThis, 'BigInt')
    made.writeNumber(7, wide)
    expect(looks.mock.calls.length).toBeLessThan(10)
    expect(bigints.mock.calls.length).toBeLessThan(10)
    vi.restoreAllMocks()
    expect(valueAt(made.view(), 99_999)).toBe(99_999)
  })
})
