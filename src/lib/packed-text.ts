/** Text as part of an address: packed, and in the fragment, which no server and no log sees. */

/** Longer addresses are cut by what one pastes them into. */
export const LINK_LETTERS_MAX = 30_000

/** @param mark says what it is, for whoever opens it: `scene` */
export async function packText(mark: string, text: string): Promise<string> {
  const packed = await transformed(new TextEncoder().encode(text), new CompressionStream('gzip'))
  let binary = ''
  for (const byte of packed) binary += String.fromCharCode(byte)
  return `${mark}=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Null when the fragment holds nothing under this mark. */
export async function unpackText(mark: string, fragment: string): Promise<string | null> {
  const text = fragment.startsWith('#') ? fragment.slice(1) : fragment
  if (!text.startsWith(`${mark}=`)) return null
  try {
    const binary = atob(
      text
        .slice(mark.length + 1)
        .replaceAll('-', '+')
        .replaceAll('_', '/'),
    )
    const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
    return new TextDecoder().decode(await transformed(packed, new DecompressionStream('gzip')))
  } catch {
    return null
  }
}

async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const body = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(body).arrayBuffer())
}
