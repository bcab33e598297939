/** Percent escapes of URLs and request bodies, where a stray `%` stands for itself. */

const escapes = /(?:%[0-9a-fA-F]{2})+|%/g

/** @returns the text with every `%` that begins no UTF-8 escape written `%25`: it can be decoded */
export function escapeStrayPercents(text: string): string {
  return isDecodable(text)
    ? text
    : text.replace(escapes, (run) => (run === '%' ? '%25' : escapeInvalid(run)))
}

/** Decodes once; what is no escape stays as it is, `+` included. */
export function decodePercents(text: string): string {
  return text.includes('%') ? decodeURIComponent(escapeStrayPercents(text)) : text
}

/** Of a run of `%XX`: sequences of UTF-8 stay, single bytes that belong to none are escaped. */
function escapeInvalid(run: string): string {
  let result = ''
  let at = 0
  while (at < run.length) {
    const lead = Number.parseInt(run.slice(at + 1, at + 3), 16)
    const piece = run.slice(at, at + 3 * sequenceLength(lead))
    const valid = isDecodable(piece)
    result += valid ? piece : `%25${run.slice(at + 1, at + 3)}`
    at += valid ? piece.length : 3
  }
  return result
}

/** Bytes that a lead byte of UTF-8 announces; 1 for those that are none. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
