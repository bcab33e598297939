/**
 * Reads an upsert payload from its bytes into frames.
 *
 * One pass, no JavaScript object per vertex or edge; repeated keys stay what they are, several
 * entries. The nesting `section → type → id → …` is a small state machine, so that a long body can
 * be read in slices: `run` goes on until it has passed a byte and can be called again. Nothing
 * leaves the parser before the whole payload has been read and found valid.
 */
import { type FieldOp, fieldOp } from '#graph/mutate/frame-format.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { EntryWriter } from './entry-writer.ts'
import { JsonBytes } from './json-bytes.ts'
import { checkKeyAttribute } from './key-attribute.ts'
import { KeyBuffer } from './key-reader.ts'
import {
  type AttributePlan,
  type EdgePlan,
  type EdgeRoute,
  findRoute,
  type NamedTypes,
  type PayloadPlan,
  type VertexPlan,
} from './payload-plan.ts'
import { unconvertible } from './scalar-reader.ts'
import { readAttributeValue } from './value-reader.ts'

/** Which object's members come next. */
const level = {
  done: -1,
  root: 0,
  vertexTypes: 1,
  vertexIds: 2,
  sourceTypes: 3,
  sourceIds: 4,
  edgeTypes: 5,
  targetTypes: 6,
  targetIds: 7,
} as const

/** The level around each one. */
const parentLevel = [level.done, 0, 1, 0, 3, 4, 5, 6] as const

const opCodes: ReadonlyMap<string, FieldOp> = new Map([
  ['~', fieldOp.ignoreIfExists],
  ['ignore_if_exists', fieldOp.ignoreIfExists],
  ['+', fieldOp.add],
  ['add', fieldOp.add],
  ['&', fieldOp.and],
  ['and', fieldOp.and],
  ['|', fieldOp.or],
  ['or', fieldOp.or],
  ['>', fieldOp.max],
  ['max', fieldOp.max],
  ['<', fieldOp.min],
  ['min', fieldOp.min],
])

const encoder = new TextEncoder()
const [verticesName, edgesName, valueName, opName] = ['vertices', 'edges', 'value', 'op'].map(
  (name) => encoder.encode(name),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
const valueHead = encoder.encode('{"value":')

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** About as many entries as the engine applies within one slice. */
export const CHUNK_SIZE_BYTES = 120 * 1_024

export interface ParseOptions {
  /** frameFlag bits, repeated in every frame. */
  readonly flags: number
  /** Frames are closed at about this size; 0: one frame. */
  readonly chunkSizeBytes: number
  /** Filled while reading; null or absent: nobody asks. */
  readonly named?: NamedTypes | null
  readonly isExport?: boolean
  /** A longer object is not read, but makes `run` throw a `LongObject`; absent: any is read. */
  readonly objectSizeBytesMax?: number
}

export interface ParsedPayload {
  readonly frames: readonly Uint8Array[]
  /** Entries of the two sections. */
  readonly vertexCount: number
  readonly edgeCount: number
}

export class PayloadParser {
  readonly #reader: JsonBytes
  readonly #plan: PayloadPlan
  readonly #named: NamedTypes | null
  readonly #objectSizeBytesMax: number
  readonly #rows: EntryWriter
  readonly #sourceKey = new KeyBuffer()
  readonly #targetKey = new KeyBuffer()
  #level: number = level.root
  #isFirst = true
  #vertexCount = 0
  #edgeCount = 0

  // Where in the schema the reader stands; for messages, too.
  #vertex: VertexPlan | null = null
  #target: VertexPlan | null = null
  #edge: EdgePlan | null = null
  #route: EdgeRoute | null = null
  #attribute: AttributePlan | null = null

  constructor(body: Uint8Array, plan: PayloadPlan, options: ParseOptions) {
    this.#reader = new JsonBytes(body, options.isExport)
    this.#plan = plan
    this.#named = options.named ?? null
    this.#objectSizeBytesMax = options.objectSizeBytesMax ?? Number.POSITIVE_INFINITY
    const guess = Math.max(512, body.length >> 1)
    const initialSizeBytes =
      options.chunkSizeBytes > 0 ? Math.min(guess, options.chunkSizeBytes + 4_096) : guess
    this.#rows = new EntryWriter({ ...options, initialSizeBytes })
    this.#open(level.root, 'the payload')
  }

  /** Bytes read so far. */
  get at(): number {
    return this.#reader.at
  }

  /**
   * Reads on until `untilByte` is passed.
   * @returns whether the payload has ended
   * @throws DbError INVALID_JSON or INVALID_PAYLOAD, LongObject; the parser is of no more use then
   */
  run(untilByte: number): boolean {
    this.#reader.longAt = untilByte + this.#objectSizeBytesMax
    try {
      while (this.#level !== level.done && this.#reader.at < untilByte) this.#step()
      return this.#level === level.done || this.#isAtEnd()
    } catch (error) {
      throw this.#withPlace(error)
    }
  }

  finish(): ParsedPayload {
    return {
      frames: this.#rows.finish(),
      vertexCount: this.#vertexCount,
      edgeCount: this.#edgeCount,
    }
  }

  /** Cut-off bodies end here: the step that finds no byte says what is missing. */
  #isAtEnd(): boolean {
    if (this.#reader.at < this.#reader.end) return false
    this.#step()
    return true
  }

  #step(): void {
    const reader = this.#reader
    if (!reader.nextMember(CLOSE_OBJECT, this.#isFirst)) {
      this.#isFirst = false
      this.#level = parentLevel[this.#level]!
      if (this.#level === level.done && reader.peek() !== -1) {
        throw reader.malformed('something behind the end')
      }
      return
    }
    this.#isFirst = false
    reader.key()
    switch (this.#level) {
      case level.targetIds:
        this.#readEdges()
        return
      case level.vertexIds:
        this.#readVertex()
        return
      default:
        this.#descend()
    }
  }

  /** A key that leads to another level of objects. */
  #descend(): void {
    switch (this.#level) {
      case level.root:
        this.#enterSection()
        return
      case level.vertexTypes:
        this.#vertex = this.#findVertexType('Invalid vertex type')
        this.#named?.vertices.add(this.#vertex.name)
        this.#open(level.vertexIds, 'a vertex type')
        return
      case level.sourceTypes:
        this.#vertex = this.#findVertexType('Invalid source vertex type')
        this.#named?.ends.add(this.#vertex.name)
        this.#open(level.sourceIds, 'a source vertex type')
        return
      case level.sourceIds:
        this.#sourceKey.take(this.#reader, this.#vertex!.type)
        this.#open(level.edgeTypes, 'a source vertex')
        return
      case level.edgeTypes:
        this.#edge = this.#findEdgeType()
        this.#named?.edges.add(this.#edge.type.name)
        this.#open(level.targetTypes, 'an edge type')
        return
      default:
        this.#target = this.#findVertexType('Invalid target vertex type')
        this.#named?.ends.add(this.#target.name)
        this.#route = this.#findRoute(this.#target)
        this.#open(level.targetIds, 'a target vertex type')
    }
  }

  #enterSection(): void {
    const reader = this.#reader
    if (reader.textEquals(verticesName)) {
      this.#rows.enterSection(false)
      this.#open(level.vertexTypes, "'vertices'")
    } else if (reader.textEquals(edgesName)) {
      this.#rows.enterSection(true)
      this.#open(level.sourceTypes, "'edges'")
    } else {
      throw invalid(`Unknown key '${reader.textOf()}': a payload has 'vertices' and 'edges'`)
    }
  }

  /** Steps into the object at the reader. */
  #open(inner: number, what: string): void {
    const reader = this.#reader
    if (reader.peek() !== OPEN_OBJECT) throw this.#notAnObject(what)
    reader.at++
    this.#level = inner
    this.#isFirst = true
  }

  #notAnObject(what: string): DbError {
    const reader = this.#reader
    const byte = reader.peek()
    if (byte === 0x6e) return unconvertible(reader, 'object')
    reader.skipValue() // malformed rather than misplaced?
    return invalid(`The payload does not fit: ${what} must be an object`)
  }

  #findVertexType(otherwise: string): VertexPlan {
    const reader = this.#reader
    for (const plan of this.#plan.vertices) if (reader.textEquals(plan.nameBytes)) return plan
    throw invalid(`${otherwise} ${this.#plan.unknown(reader.textOf())}`)
  }

  #findEdgeType(): EdgePlan {
    const reader = this.#reader
    for (const plan of this.#plan.edges) if (reader.textEquals(plan.nameBytes)) return plan
    throw invalid(`Invalid edge type ${this.#plan.unknown(reader.textOf())}`)
  }

  #findRoute(to: VertexPlan): EdgeRoute {
    const from = this.#vertex!
    const edge = this.#edge!
    const route = findRoute(edge, from.typeId, to.typeId)
    if (route !== undefined) return route
    throw invalid(
      `from vertex type '${from.name}' to vertex type '${to.name}' is not valid for edge type '${edge.name}'`,
    )
  }

  #readVertex(): void {
    const vertex = this.#vertex!
    this.#sourceKey.take(this.#reader, vertex.type)
    this.#rows.beginVertex(vertex, this.#sourceKey)
    this.#readAttributes(vertex.attributes)
    this.#rows.endEntry()
    this.#vertexCount++
  }

  #readEdges(): void {
    const reader = this.#reader
    const route = this.#route!
    this.#targetKey.take(reader, this.#target!.type)
    if (reader.peek() !== OPEN_ARRAY) {
      this.#readEdge(route)
      return
    }
    if (route.plan.discriminatorCount === 0) {
      throw invalid(
        `Edge type '${route.plan.name}' has no discriminator: a target takes one object, not an array`,
      )
    }
    reader.at++
    for (let isFirst = true; reader.nextMember(CLOSE_ARRAY, isFirst); isFirst = false) {
      this.#readEdge(route)
    }
  }

  #readEdge(route: EdgeRoute): void {
    this.#rows.beginEdge(route, this.#sourceKey, this.#targetKey)
    this.#readAttributes(route.plan.attributes)
    this.#rows.endEntry()
    this.#edgeCount++
  }

  #readAttributes(attributes: readonly AttributePlan[]): void {
    const reader = this.#reader
    if (reader.peek() !== OPEN_OBJECT) throw this.#notAnObject('the attributes')
    reader.at++
    for (let isFirst = true; reader.nextMember(CLOSE_OBJECT, isFirst); isFirst = false) {
      reader.key()
      const expected = this.#rows.expected
      const attribute =
        expected !== undefined && reader.textEquals(expected.nameBytes)
          ? expected
          : this.#findAttribute(attributes)
      this.#attribute = attribute
      if (attribute.keyPart >= 0) {
        checkKeyAttribute(reader, attribute, this.#vertex!, this.#sourceKey)
      } else {
        this.#rows.beginValue(attribute)
        this.#rows.endValue(this.#readValue(attribute))
      }
      this.#attribute = null
    }
  }

  #findAttribute(attributes: readonly AttributePlan[]): AttributePlan {
    const reader = this.#reader
    for (const attribute of attributes) if (reader.textEquals(attribute.nameBytes)) return attribute
    const name = reader.textOf()
    throw invalid(
      this.#level === level.vertexIds
        ? `Unknown vertex attribute or vector name: ${name}`
        : `Invalid edge attribute ${name} of edge type ${this.#route!.plan.name}`,
    )
  }

  /** `{"value": …, "op": …}`, in either order. @returns the operation */
  #readValue(attribute: AttributePlan): number {
    const reader = this.#reader
    let isFirst = true
    if (reader.peek() === OPEN_OBJECT && reader.skipLiteral(valueHead)) {
      readAttributeValue(reader, this.#rows.writer, attribute.type, this.#plan.tuples)
      if (reader.bytes[reader.at] === CLOSE_OBJECT) {
        reader.at++
        return fieldOp.set
      }
      isFirst = false
    } else if (reader.peek() === OPEN_OBJECT) {
      reader.at++
    } else {
      throw this.#notAValue()
    }
    return this.#readValueMembers(attribute, isFirst)
  }

  #readValueMembers(attribute: AttributePlan, isFirstMember: boolean): number {
    const reader = this.#reader
    let hasValue = !isFirstMember
    let op: number = fieldOp.set
    for (let isFirst = isFirstMember; reader.nextMember(CLOSE_OBJECT, isFirst); isFirst = false) {
      reader.key()
      if (reader.textEquals(valueName)) {
        this.#rows.rewindValue()
        readAttributeValue(reader, this.#rows.writer, attribute.type, this.#plan.tuples)
        hasValue = true
      } else if (reader.textEquals(opName)) {
        op = this.#readOp(attribute)
      } else {
        throw invalid(`unknown key '${reader.textOf()}' beside 'value' and 'op'`)
      }
    }
    if (!hasValue) throw invalid("the key 'value' is missing")
    return op
  }

  #notAValue(): DbError {
    const reader = this.#reader
    if (reader.peek() === 0x6e) return unconvertible(reader, 'object')
    reader.skipValue()
    return invalid('it must be an object {"value": …}')
  }

  #readOp(attribute: AttributePlan): number {
    const reader = this.#reader
    if (reader.peek() !== 0x22) throw unconvertible(reader, 'operation code')
    reader.string()
    const code = reader.textOf()
    const op = opCodes.get(code)
    if (op === undefined) throw invalid(`unknown operation code '${code}'`)
    if ((attribute.opsAllowed & (1 << op)) === 0) {
      throw invalid(`operation code '${code}' does not fit the type ${attribute.type.kind}`)
    }
    return op
  }

  /** Value errors say whose value it is. */
  #withPlace(error: unknown): unknown {
    if (!isDbError(error, 'INVALID_PAYLOAD') || this.#attribute === null) return error
    const owner =
      this.#level === level.vertexIds
        ? `vertex type ${this.#vertex!.name}`
        : `edge type ${this.#route!.plan.name}`
    const place = `Attribute '${this.#attribute.name}' of ${owner}`
    return new DbError('INVALID_PAYLOAD', `${place}: ${error.message}`, { cause: error })
  }
}

function invalid(message: string): DbError {
  return new DbError('INVALID_PAYLOAD', message)
}
