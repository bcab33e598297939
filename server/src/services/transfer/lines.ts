/** Lines of a stream of bytes, without their line feeds; empty ones are left out. */

const LINE_FEED = 0x0a

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = joined([...pending, chunk.subarray(start, end)])
      pending = []
      start = end + 1
      if (line.length > 0) yield line
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
  const last = joined(pending)
  if (last.length > 0) yield last
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}
