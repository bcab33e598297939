/**
 * One run of a query: the view, its memory, and the runtime that generated code calls. Made anew
 * for every run, in the worker.
 */

import { lowerBound } from '#graph/adjacency/read.ts'
import { idText } from '#graph/ids/read.ts'
import type { ColumnView, GraphView } from '#graph/view.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { createRandom } from '#kernel/prng.ts'
import { dateOf } from '#query/functions/dates.ts'
import { type BuiltIn, builtIns, unknownFunction } from '#query/functions/functions.ts'
import { matchesLike } from '#query/functions/like.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { IndexRows } from '#query/plan/select/index-conditions.ts'
import { type Argument, givenVertex, idNumberOf, parameterValue } from './arguments.ts'
import { blockFunctions } from './block-functions.ts'
import { callFunctions } from './calls.ts'
import { aggregate, countOf } from './cells/aggregates.ts'
import { Arena } from './cells/arena.ts'
import type { Codec, Memory } from './cells/codec.ts'
import { type CommonUse, MemoryBudget } from './cells/memory.ts'
import { Ropes } from './cells/ropes.ts'
import { Shapes } from './cells/shapes.ts'
import { StringTable } from './cells/strings.ts'
import { TemporaryBlocks } from './cells/temporaries.ts'
import type { Value } from './cells/value.ts'
import type { RunControl } from './control.ts'
import { deferredFunctions } from './deferred.ts'
import { exceptionFunctions } from './exceptions.ts'
import { type AttributeReader, Attributes, type StringColumn } from './graph/attributes.ts'
import { columnFunctions } from './graph/column-functions.ts'
import { type DegreeReader, EdgeHandles } from './graph/edges.ts'
import { VertexLayout } from './graph/layout.ts'
import { type NeighborReader, type NeighborSpec, neighborReader } from './graph/neighbors.ts'
import type { QueryTypes } from './graph/query-types.ts'
import { reachFunctions } from './graph/reach.ts'
import { sampleFunctions } from './graph/sample.ts'
import type { AskIndex } from './graph/vector-search.ts'
import { vectorFunctions } from './graph/vectors.ts'
import { VertexSets } from './graph/vertex-set.ts'
import { VirtualEdges, virtualFunctions } from './graph/virtual-edges.ts'
import { integerFunctions, integerRules } from './integer-functions.ts'
import type { RuntimeName } from './names.ts'
import { Changes, type ChangeWriter } from './output/changes.ts'
import { Exporter } from './output/exporter.ts'
import { fileSources } from './output/file-sources.ts'
import { type FileAccess, fileFunctions, RunFiles } from './output/files.ts'
import { jsonFunctions } from './output/json-values.ts'
import { JsonWriter } from './output/json-writer.ts'
import { integerText, realJson } from './output/number-text.ts'
import { makePrinter, printFunctions } from './output/print-functions.ts'
import { RunLog } from './output/run-log.ts'
import { Warnings } from './output/warnings.ts'
import { collectedFunctions } from './parallel/collected-members.ts'
import { ColumnCopies } from './parallel/column-copies.ts'
import { Divider, type Division, type Part, SEGMENT_ITEMS } from './parallel/divided-loops.ts'
import { KeptPackings } from './parallel/packed-sources.ts'
import { PartialBlocks, partialFunctions } from './parallel/partial-blocks.ts'
import { sentFunctions } from './parallel/sent-values.ts'
import type { Team } from './parallel/team.ts'
import { poll } from './poll.ts'
import { type KeptCounters, newKeptCounters, type Profiler } from './profile.ts'
import { type UserCall, UserFunctions } from './user-functions.ts'

export interface RunInput {
  readonly query: BoundQuery
  readonly view: GraphView
  readonly wide: boolean
  /** By parameter slot; undefined: none was given. */
  readonly arguments: readonly (Argument | undefined)[]
  readonly types: QueryTypes
  readonly memoryLimitBytes: number
  readonly responseLimitBytes: number
  readonly nowSeconds: number
  readonly seed: number
  /** See `RunOptions`. */
  readonly roles?: readonly string[]
  readonly control: RunControl
  /** Null or absent: nobody wants to know what the statements cost. */
  readonly profiler?: Profiler | null
  /** Absent: time stands still. */
  readonly nowMs?: (() => number) | undefined
  readonly files: FileAccess
  /** Null or absent: one thread does it all. */
  readonly team?: Team | null
  readonly segmentItems?: number
  /** What indexes propose; see `RunOptions`. */
  readonly indexRows?: readonly IndexRows[]
  readonly helpersFirst?: boolean
  readonly vectorIndexFrom?: number
  readonly askIndex?: AskIndex | null
  /** Of the thread; absent: the run keeps nothing for others. */
  readonly packings?: KeptPackings | null
  /** See `MemorySettings`. */
  readonly heapLimitBytes?: number | undefined
  readonly common?: CommonUse | null
}

export class QueryEnv {
  readonly view: GraphView
  readonly layout: VertexLayout
  readonly strings: StringTable
  readonly edges: EdgeHandles
  readonly shapes: Shapes
  readonly attributes: Attributes
  readonly writer: JsonWriter
  readonly exporter: Exporter
  readonly changes: Changes
  readonly virtual: VirtualEdges
  readonly files: RunFiles
  readonly log: RunLog
  /** What the answer tells besides its results. */
  readonly warnings = new Warnings()
  readonly memory: MemoryBudget
  readonly input: RunInput
  readonly runtime: Runtime
  readonly functions: { named(name: string): BuiltIn }
  readonly userFunctions: UserFunctions

  constructor(input: RunInput) {
    this.input = input
    this.view = input.view
    const { heapLimitBytes = input.memoryLimitBytes, common = null } = input
    const isShared = (input.team ?? null) !== null
    this.memory = new MemoryBudget(input.memoryLimitBytes, { isShared, heapLimitBytes, common })
    this.layout = new VertexLayout(input.view)
    this.strings = new StringTable(this.memory)
    this.edges = new EdgeHandles(input.view, this.layout)
    const temporaries = new TemporaryBlocks(this.memory)
    const { memory, strings } = this
    const ropes = new Ropes(strings, memory)
    const cells: Memory = { arena: new Arena(memory), strings, ropes, temporaries }
    this.shapes = new Shapes(cells, {
      wide: input.wide,
      integers: integerRules,
      numberArgument: (slot) => Number(this.parameter(slot)),
    })
    temporaries.shapeOf = this.shapes.of
    const { layout, edges, shapes } = this
    this.attributes = new Attributes({ memory: cells, layout, edges, shapes })
    this.writer = new JsonWriter(this.memory, input.responseLimitBytes)
    const { view } = this
    this.exporter = new Exporter({ shapes, strings, layout, edges, memory })
    this.files = new RunFiles(input.files, memory)
    this.log = new RunLog(memory)
    const { exporter } = this
    const { types } = input
    this.changes = new Changes({ view, layout, edges, strings, memory, exporter, types })
    const { query } = input
    this.virtual = new VirtualEdges({ view, layout, edges, exporter, strings, memory, query })
    this.functions = namedFunctions(this)
    const { attributes } = this
    const random = createRandom(input.seed + 1)
    const called = { random: () => random.next(), roles: input.roles ?? [] }
    this.userFunctions = new UserFunctions({ exporter, attributes, memory, ...called })
    this.runtime = makeRuntime(this, { cells, temporaries })
  }

  neighborReader(spec: NeighborSpec, wide: boolean): NeighborReader {
    return neighborReader(this, spec, wide)
  }

  userFunction(name: string, types: readonly ValueType[], result: ValueType): UserCall {
    return this.userFunctions.named(name, types, result)
  }

  parameter(slot: number): Value {
    return parameterValue(this, slot)
  }

  parameterIsNull(slot: number): boolean {
    const { defaultValue } = this.input.query.parameters[slot]!
    return this.input.arguments[slot] === undefined && defaultValue === null
  }
}

function namedFunctions(env: QueryEnv): { named(name: string): BuiltIn } {
  const { strings, input } = env
  const random = createRandom(input.seed)
  const known = builtIns({
    text: (code) => strings.text(code),
    intern: (text) => strings.intern(text),
    reserve: (length) => strings.reserve(length),
    reserveCharacters: (length) => strings.reserveCharacters(length),
    nowSeconds: input.nowSeconds,
    random: () => random.next(),
  })
  return {
    named: (name) => {
      const found = known.get(name)
      if (found === undefined) throw unknownFunction(name)
      return found
    },
  }
}

/** Fewer values than these segments hold all stay in a core's cache. */
const PACKED_SEGMENTS = 16

interface RuntimeParts {
  readonly cells: Memory
  readonly temporaries: TemporaryBlocks
}

function makeRuntime(env: QueryEnv, { cells, temporaries }: RuntimeParts): Runtime {
  const { layout, memory, strings, shapes, edges, writer, input } = env
  const printParts = { writer, layout, edges, strings, types: input.types }
  const sets = new VertexSets(layout, memory)
  const { control, wide, team = null, profiler = null } = input
  const { segmentItems = SEGMENT_ITEMS, helpersFirst = false } = input
  const division = { segmentItems, helpersFirst }
  const packedFromRows = PACKED_SEGMENTS * segmentItems
  const packings = input.packings ?? new KeptPackings()
  packings.keepFor(input.view)
  const partials = new PartialBlocks(memory, shapes, input.nowMs ?? (() => 0))
  const divider = new Divider({
    ...division,
    wide,
    control,
    memory,
    sets,
    copies: new ColumnCopies(memory),
    partials,
    team,
    profiler,
  })
  return {
    ...dividedRuntime(divider),
    ...partialFunctions(partials),
    ...integerFunctions,
    ...blockFunctions({
      memory: cells,
      shapes,
      temporaries,
      budget: memory,
      vertexCount: layout.total,
    }),
    lowerBound,
    ...collectedFunctions(layout, memory),
    ...sentFunctions(layout, memory),
    ...columnFunctions({
      ...{ layout, memory, strings, sets, packedFromRows, packings },
      shapeOf: shapes.of,
    }),
    ...printFunctions(printParts, makePrinter(printParts)),
    ...stringRuntime(env, cells),
    ...deferredFunctions(memory),
    ...reachFunctions(layout, memory, input.wide),
    ...graphRuntime(env),
    ...runRuntime(control, profiler),
    ...exceptionFunctions(strings, printParts.writer),
    ...jsonFunctions(strings, shapes, memory),
    ...fileSources(env),
    ...sampleFunctions(input.seed),
    ...callFunctions({ shapes, sets, temporaries, memory }),
    ...vectorFunctions({
      layout,
      sets,
      shapes,
      strings,
      memory,
      look: (rows) => poll(input.control, 0, rows),
      askIndex: input.askIndex ?? null,
      indexFromNumbers: input.vectorIndexFrom ?? Number.POSITIVE_INFINITY,
    }),
    ...fileFunctions({ files: env.files, log: env.log, strings, exporter: env.exporter }),
    ...virtualFunctions(env.virtual),
    aggregate: aggregate(shapes, input.wide),
    countOf: countOf(shapes),
    change: (write: ChangeWriter, ...args: readonly Value[]) => write(...args),
    invoke: (fn: BuiltIn, ...args: readonly (number | boolean | bigint)[]) => fn(...args),
  }
}

function dividedRuntime(divider: Divider) {
  return {
    /** A rehearsal takes the functions and runs nothing. */
    isRehearsal: (_main: () => void): boolean => false,
    /** A helper takes the parts and leaves the rest. */
    beginRun: (main: () => void, _parts: readonly Part[]): void => main(),
    threads: (): number => divider.threads(),
    divide: (
      part: Part,
      division: Division,
      inputs: readonly unknown[],
      items: number,
    ): Float64Array => divider.divide(part, division, inputs, items),
  }
}

export type Runtime = Readonly<Record<RuntimeName, unknown>>

function textOf({ strings, shapes }: QueryEnv, codec: Codec, value: Value): number {
  const { kind } = shapes.typeOf(codec)
  if (kind === 'STRING') return value as number
  if (kind === 'DATETIME') return strings.intern(formatDatetime(value as number))
  if (kind === 'FLOAT' || kind === 'DOUBLE') {
    return strings.intern(realJson(value as number, 6).replaceAll('"', ''))
  }
  if (kind === 'BOOL') return strings.intern(String(value))
  return strings.intern(integerText(value as number | bigint, kind === 'UINT'))
}

/** A pattern is taken apart into its characters. */
function patternText(strings: StringTable, pattern: number): string {
  const text = strings.text(pattern)
  strings.reserveCharacters(text.length)
  return text
}

function stringRuntime(env: QueryEnv, { ropes }: Memory) {
  const { strings, attributes } = env
  const compareStrings = (left: number, right: number): number => strings.compare(left, right)
  return {
    concat: (left: number, right: number): number => strings.concat(left, right),
    appendTo: (rope: number, code: number): number => ropes.append(rope, code),
    flat: (rope: number): number => ropes.flat(rope),
    compareStrings,
    betweenStrings: (value: number, low: number, high: number): boolean =>
      compareStrings(value, low) >= 0 && compareStrings(value, high) <= 0,
    like: (value: number, pattern: number, mark: string): boolean =>
      matchesLike(strings.text(value), patternText(strings, pattern), mark),
    /** A string that a Min or Max accumulator may not have been given yet. */
    writtenString: (code: number): number => Math.max(0, code),
    writtenDate: (seconds: number): number => (Number.isFinite(seconds) ? seconds : 0),
    codeAt: (column: StringColumn, code: number): number => attributes.codeAt(column, code),
    offsetAt: (column: StringColumn, offset: number): number => attributes.offsetAt(column, offset),
    /** `to_string`: reals as C's `%g` prints them, all else in full. */
    textOf: (codec: Codec, value: Value): number => textOf(env, codec, value),
    datetimeOf: (code: number): number => dateOf(strings.text(code)),
  }
}

function graphRuntime(env: QueryEnv) {
  const { layout, strings, attributes, edges } = env
  return {
    valueAt: (column: ColumnView, row: number, codec: Codec): Value =>
      attributes.valueAt(column, row, env.shapes.typeOf(codec)),
    givenVertex: (vertex: number, slot: number): number => givenVertex(env, vertex, slot),
    readAttribute: (reader: AttributeReader, value: number): Value => reader(value),
    readDegree: (reader: DegreeReader, vertex: number): number => reader(vertex),
    idString: (vertex: number): number =>
      vertex < 0 ? 0 : strings.intern(idText(layout.tableOf(vertex).ids, layout.rowOf(vertex))),
    idNumber: (vertex: number): number => idNumberOf(layout, vertex),
    vertexTypeName: (vertex: number): number =>
      vertex < 0 ? 0 : strings.intern(layout.tableOf(vertex).typeName),
    readNeighbors: (reader: NeighborReader, ...args: Parameters<NeighborReader>): Value =>
      reader(...args),
    edgeDirected: (handle: number): boolean => edges.resolve(handle)?.table.directed ?? false,
    /** -1 for no edge. */
    edgeEnd: (handle: number, isTarget: boolean): number => {
      const edge = edges.resolve(handle)
      if (edge === null) return -1
      const { from, to } = edges.ends(edge)
      return isTarget ? to : from
    },
    /** Without its flags: the same for both ways of an edge. */
    edgeIdentity: (handle: number): number => (handle < 0 ? handle : handle - (handle % 4)),
    edgeTypeName: (handle: number): number => {
      const edge = edges.resolve(handle)
      return edge === null ? 0 : strings.intern(edges.typeName(edge))
    },
  }
}

function work(control: RunControl, edges: number, rows: number): void {
  control.add(edges, rows)
}

function runRuntime(control: RunControl, profiler: Profiler | null) {
  return {
    poll,
    work,
    /** Counters of the rows that a statement keeps, which every thread reaches. */
    keptRows: (levels: number): KeptCounters =>
      profiler?.keptRows(levels) ?? newKeptCounters(levels),
    addKept: (counters: KeptCounters, level: number, count: number): void =>
      void Atomics.add(counters, level, BigInt(count)),
    statement: (line: number, id: number): void => {
      control.statement(line)
      profiler?.enter(id)
      poll(control, 0, 0)
    },
  }
}
