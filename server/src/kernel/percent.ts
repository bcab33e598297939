/** Percent escapes of URLs and request bodies, where a stray `%` stands for itself. */

const PERCENT = 0x25

/**
 * Takes time with the length of the text, whatever it holds: an exception for each escape took a second for 1 MB.
 * @returns the text with every `%` that begins no UTF-8 escape written `%25`: it can be decoded
 */
export function escapeStrayPercents(text: string): string {
  if (isDecodable(text)) return text
  const pieces: string[] = []
  let copied = 0
  for (let at = nextStrayPercent(text, 0); at >= 0; at = nextStrayPercent(text, copied)) {
    pieces.push(text.slice(copied, at + 1))
    copied = at + 1
  }
  pieces.push(text.slice(copied))
  return pieces.join('25')
}

/** @param countMax ends the count */
export function strayPercentCount(text: string, countMax = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (let at = nextStrayPercent(text, 0); at >= 0 && count < countMax; count++) {
    at = nextStrayPercent(text, at + 1)
  }
  return count
}

/** @returns where the next `%` is that begins no UTF-8 escape; -1 if there is none */
function nextStrayPercent(text: string, start: number): number {
  let at = text.indexOf('%', start)
  for (let length = 1; at >= 0; at = text.indexOf('%', at + length)) {
    length = characterLength(text, at)
    if (length === 0) return at
  }
  return -1
}

/** Decodes once; what is no escape stays as it is, `+` included. */
export function decodePercents(text: string): string {
  return text.includes('%') ? decodeURIComponent(escapeStrayPercents(text)) : text
}

/**
 * The escapes of one character, by table 3-7 of the Unicode Standard (well-formed UTF-8).
 * @returns how many code units of the text they take; 0 if they are no character
 */
function characterLength(text: string, at: number): number {
  const lead = byteAt(text, at)
  if (lead < 0) return 0
  if (lead < 0x80) return 3
  if (lead < 0xc2 || lead > 0xf4) return 0
  if (!isSecond(byteAt(text, at + 3), lead)) return 0
  if (lead < 0xe0) return 6
  if (!isContinuation(text, at + 6)) return 0
  if (lead < 0xf0) return 9
  return isContinuation(text, at + 9) ? 12 : 0
}

/** Shorter forms, surrogates and what is above U+10FFFF are excluded by the second byte. */
function isSecond(byte: number, lead: number): boolean {
  const first = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const last = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  return byte >= first && byte <= last
}

function isContinuation(text: string, at: number): boolean {
  return byteAt(text, at) >> 6 === 2
}

/** @returns the byte that the escape at a place is; -1 if there is none */
function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1
  const high = hexDigit(text.charCodeAt(at + 1))
  const low = hexDigit(text.charCodeAt(at + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/**
 * @param unit a code unit of UTF-16; NaN beyond the end of a text
 * @returns 0 to 15, -1 for what is no digit
 */
function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const lower = unit | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
