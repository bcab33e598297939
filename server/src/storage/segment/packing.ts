/**
 * Blocks of 128 unsigned integers as offsets from their smallest, each block in as few bits per
 * value as its largest offset needs: "frame of reference" packing. Neither blocks nor values
 * depend on each other, so that both ways are one loop over typed arrays.
 *
 * Value i of a block takes the bits [i * width, (i + 1) * width) of the block's words, counted
 * from the least significant bit of the first word.
 */
export const BLOCK_VALUES = 128

/** Turns the order of signed numbers into that of unsigned ones, and back. */
export const SIGN_BIT = 0x80000000

/** Words that a block of `width` bits per value takes, whole or not. */
const WORDS_PER_BIT = BLOCK_VALUES / 32

export interface PackedWidths {
  /** Bits per value of each block, 0 to 32. */
  readonly widths: Uint8Array
  /** One more than the blocks take: it stays 0. */
  readonly wordCount: number
}

export function blockCountOf(valueCount: number): number {
  return Math.ceil(valueCount / BLOCK_VALUES)
}

/** The widths that `offsets` need, where every block's smallest value was subtracted already. */
export function widthsOf(offsets: Uint32Array): PackedWidths {
  const widths = new Uint8Array(blockCountOf(offsets.length))
  let bits = 0
  for (let block = 0; block < widths.length; block++) {
    const end = Math.min((block + 1) * BLOCK_VALUES, offsets.length)
    let used = 0
    for (let i = block * BLOCK_VALUES; i < end; i++) used |= offsets[i]!
    widths[block] = 32 - Math.clz32(used)
    bits += widths[block]!
  }
  return { widths, wordCount: bits * WORDS_PER_BIT + 1 }
}

/** Subtracts the smallest value of each block in place. @returns those smallest values */
export function subtractBases(values: Uint32Array): Uint32Array {
  const bases = new Uint32Array(blockCountOf(values.length))
  for (let block = 0; block < bases.length; block++) {
    const start = block * BLOCK_VALUES
    const end = Math.min(start + BLOCK_VALUES, values.length)
    let smallest = values[start]!
    for (let i = start + 1; i < end; i++) if (values[i]! < smallest) smallest = values[i]!
    for (let i = start; i < end; i++) values[i]! -= smallest
    bases[block] = smallest
  }
  return bases
}

export function pack(offsets: Uint32Array, { widths, wordCount }: PackedWidths): Uint32Array {
  const words = new Uint32Array(wordCount)
  let blockWord = 0
  for (let block = 0; block < widths.length; block++) {
    const width = widths[block]!
    const end = Math.min((block + 1) * BLOCK_VALUES, offsets.length)
    let bit = 0
    for (let i = block * BLOCK_VALUES; i < end; i++) {
      const word = blockWord + (bit >>> 5)
      const shift = bit & 31
      words[word]! |= offsets[i]! << shift
      if (shift + width > 32) words[word + 1]! |= offsets[i]! >>> (32 - shift)
      bit += width
    }
    blockWord += width * WORDS_PER_BIT
  }
  return words
}

/** Signed views throughout: sums of unsigned ones would be floating-point numbers to the engine. */
interface PackedBlocks {
  /** One word more than the widths say, so that a value's second word always exists. */
  readonly words: Int32Array
  readonly widths: Uint8Array
}

/** `values[i]` becomes the i-th offset plus its block's base. */
export function unpackWords(
  { words, widths }: PackedBlocks,
  bases: Int32Array,
  values: Int32Array,
): void {
  let bit = 0
  for (let block = 0; block < widths.length; block++) {
    const width = widths[block]!
    const mask = maskOf(width)
    const base = bases[block]!
    const end = Math.min((block + 1) * BLOCK_VALUES, values.length)
    let at = bit
    for (let i = block * BLOCK_VALUES; i < end; i++, at += width) {
      const word = at >>> 5
      const shift = at & 31
      const offset = ((words[word]! >>> shift) | ((words[word + 1]! << 1) << (31 - shift))) & mask
      values[i] = (offset + base) | 0
    }
    bit += width * BLOCK_VALUES
  }
}

/** As above, where what was packed is the difference to the value before, its sign bit turned. */
export function unpackDifferences(
  { words, widths }: PackedBlocks,
  bases: Int32Array,
  values: Int32Array,
): void {
  let bit = 0
  let value = 0
  for (let block = 0; block < widths.length; block++) {
    const width = widths[block]!
    const mask = maskOf(width)
    const base = bases[block]!
    const end = Math.min((block + 1) * BLOCK_VALUES, values.length)
    let at = bit
    for (let i = block * BLOCK_VALUES; i < end; i++, at += width) {
      const word = at >>> 5
      const shift = at & 31
      const offset = ((words[word]! >>> shift) | ((words[word + 1]! << 1) << (31 - shift))) & mask
      value = (value + (((offset + base) | 0) ^ SIGN_BIT)) | 0
      values[i] = value
    }
    bit += width * BLOCK_VALUES
  }
}

/** As above, where what was packed is a whole number; the values are those over `power`. */
export function unpackDecimals(
  { words, widths }: PackedBlocks,
  { bases, power }: { readonly bases: Float64Array; readonly power: number },
  values: Float64Array,
): void {
  let bit = 0
  for (let block = 0; block < widths.length; block++) {
    const width = widths[block]!
    const mask = maskOf(width)
    const base = bases[block]!
    const end = Math.min((block + 1) * BLOCK_VALUES, values.length)
    let at = bit
    for (let i = block * BLOCK_VALUES; i < end; i++, at += width) {
      const word = at >>> 5
      const shift = at & 31
      const offset = ((words[word]! >>> shift) | ((words[word + 1]! << 1) << (31 - shift))) & mask
      values[i] = (base + (offset >>> 0)) / power
    }
    bit += width * BLOCK_VALUES
  }
}

function maskOf(width: number): number {
  return width === 0 ? 0 : 0xffffffff >>> (32 - width)
}
