/**
 * Views of shared memory in a form that reaches another thread as it was.
 *
 * The platform's structured clone writes the offset and the length of a typed array, and checks
 * them against the length of its buffer, with 32 bits. A view that begins 5 GiB into its buffer
 * arrives as one that begins at 1 GiB, and of a buffer of 4 GiB the whole message is lost
 * (`messageerror`). A buffer itself is shared whole, so such a view crosses as its buffer, its offset
 * and its length. Views that 32 bits can say cross as they are.
 */

/** From here on the platform's 32 bits do not hold a length. */
const LENGTH_BYTES_MAX = 2 ** 32 - 1

const kinds = {
  Uint8Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
}
type KindName = keyof typeof kinds

interface PackedView {
  readonly sharedView: KindName
  readonly buffer: SharedArrayBuffer
  readonly byteOffset: number
  readonly length: number
}

/** @returns the message with every such view replaced; itself when there is none */
export function packViews<Message>(message: Message): Message {
  return replaced(message, pack) as Message
}

/** The message as it was before `packViews`. */
export function unpackViews<Message>(message: Message): Message {
  return replaced(message, unpack) as Message
}

/** A copy of plain objects and arrays, along the paths to what `replace` replaces only. */
function replaced(value: unknown, replace: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const other = replace(value)
  if (other !== value) return other
  if (Array.isArray(value)) return replacedElements(value, replace)
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
    ? replacedFields(value as Record<string, unknown>, replace)
    : value
}

function replacedElements(
  elements: readonly unknown[],
  replace: (value: object) => unknown,
): readonly unknown[] {
  let copy: unknown[] | null = null
  for (const [index, element] of elements.entries()) {
    const other = replaced(element, replace)
    if (other === element) continue
    copy ??= elements.slice()
    copy[index] = other
  }
  return copy ?? elements
}

function replacedFields(
  fields: Readonly<Record<string, unknown>>,
  replace: (value: object) => unknown,
): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | null = null
  for (const name of Object.keys(fields)) {
    const other = replaced(fields[name], replace)
    if (other === fields[name]) continue
    copy ??= { ...fields }
    copy[name] = other
  }
  return copy ?? fields
}

function pack(value: object): unknown {
  if (!ArrayBuffer.isView(value) || !(value.buffer instanceof SharedArrayBuffer)) return value
  if (value.buffer.byteLength <= LENGTH_BYTES_MAX) return value
  const name = value.constructor.name
  if (!(name in kinds)) throw new TypeError(`a ${name} of shared memory is never sent`)
  const { buffer, byteOffset, length } = value as Uint8Array<SharedArrayBuffer>
  const packed: PackedView = { sharedView: name as KindName, buffer, byteOffset, length }
  return packed
}

/** Only shared memory makes it one: no data of a user looks like that. */
function unpack(value: object): unknown {
  if (!('sharedView' in value && 'buffer' in value)) return value
  const { sharedView, buffer, byteOffset, length } = value as PackedView
  if (!(buffer instanceof SharedArrayBuffer)) return value
  const Kind = kinds[sharedView] as new (b: SharedArrayBuffer, at: number, n: number) => unknown
  return new Kind(buffer, byteOffset, length)
}
