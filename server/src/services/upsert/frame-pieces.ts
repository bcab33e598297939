/** Puts the pieces of a payload in order: vertices before edges. Mostly they are already. */
import { FRAME_VERSION, frameKind, MUTATION_HEADER_SIZE_BYTES } from '#graph/mutate/frame-format.ts'

/** Whole runs of one section, a part of a frame. */
export interface FramePiece {
  readonly isEdges: boolean
  readonly bytes: Uint8Array
}

export interface FrameArrangement {
  readonly flags: number
  readonly chunkSizeBytes: number
}

/** @returns `frames` without empty ones, or new frames when an edge piece stands before a vertex piece */
export function arrangeFrames(
  frames: readonly Uint8Array[],
  pieces: readonly FramePiece[],
  arrangement: FrameArrangement,
): Uint8Array[] {
  const firstEdges = pieces.findIndex((piece) => piece.isEdges)
  const isOrdered = firstEdges < 0 || pieces.slice(firstEdges).every((piece) => piece.isEdges)
  if (isOrdered) return frames.filter((frame) => frame.length > MUTATION_HEADER_SIZE_BYTES)
  const ordered = [
    ...pieces.filter((piece) => !piece.isEdges),
    ...pieces.filter((piece) => piece.isEdges),
  ]
  return group(ordered, arrangement.chunkSizeBytes).map((members) =>
    frameOf(members, arrangement.flags),
  )
}

/** Consecutive pieces as long as they fit into one chunk together; 0: all of them. */
function group(pieces: readonly FramePiece[], chunkSizeBytes: number): FramePiece[][] {
  const groups: FramePiece[][] = [[]]
  let size = 0
  for (const piece of pieces) {
    const isFull = chunkSizeBytes > 0 && size > 0 && size + piece.bytes.length > chunkSizeBytes
    if (isFull) groups.push([])
    size = isFull ? piece.bytes.length : size + piece.bytes.length
    groups.at(-1)!.push(piece)
  }
  return groups
}

function frameOf(pieces: readonly FramePiece[], flags: number): Uint8Array {
  const size = pieces.reduce((sum, piece) => sum + piece.bytes.length, MUTATION_HEADER_SIZE_BYTES)
  const frame = new Uint8Array(size)
  frame[0] = frameKind.mutation
  frame[1] = FRAME_VERSION
  frame[2] = flags & 0xff
  frame[3] = flags >> 8
  let at = MUTATION_HEADER_SIZE_BYTES
  for (const { bytes } of pieces) {
    frame.set(bytes, at)
    at += bytes.length
  }
  return frame
}
