/**
 * Expanding by several steps at once: each follows some kinds of edges from what the one before has
 * reached to vertices that a condition holds for. Here is what a step may choose from, what its
 * condition means, and the text of the query that counts or reads it all.
 */
import type { AttributeModel, SchemaModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { type DegreeRow, SCENE_EDGES_MAX, SCENE_VERTICES_MAX } from './scene.ts'

export const STEPS_MAX = 3
/** Rows of the table that stands for a picture that is too large. */
export const STEP_ROWS_MAX = 200

export const directions = ['any', 'out', 'in'] as const

export interface ExpandStep {
  /** None: all that fit. */
  readonly edgeTypes: readonly string[]
  /** Undirected edges go either way. */
  readonly direction: (typeof directions)[number]
  /** None: all that fit. */
  readonly targetTypes: readonly string[]
  /** As in the search field, over attributes of the vertices that are reached, or of the edges. */
  readonly condition: string
}

export const anyStep: ExpandStep = {
  edgeTypes: [],
  direction: 'any',
  targetTypes: [],
  condition: '',
}

type Kind = Omit<DegreeRow, 'count'>

export interface StepPlan {
  /** What may be chosen here at all. */
  readonly edgeTypes: readonly string[]
  readonly targetTypes: readonly string[]
  readonly kinds: readonly Kind[]
  /** GSQL; empty: no condition. */
  readonly where: string
  /** Why it leads nowhere; null: it does. */
  readonly problem: string | null
}

/** @param sourceTypes types of the vertices that the first step begins at */
export function planSteps(
  schema: SchemaModel,
  sourceTypes: Iterable<string>,
  steps: readonly ExpandStep[],
): readonly StepPlan[] {
  let sources = new Set(sourceTypes)
  return steps.map((step) => {
    const plan = planStep(schema, sources, step)
    sources = new Set(plan.kinds.map(({ targetType }) => targetType))
    return plan
  })
}

function planStep(schema: SchemaModel, sources: ReadonlySet<string>, step: ExpandStep): StepPlan {
  const all = kindsFrom(schema, sources)
  const chosen = all.filter(
    ({ edgeType, direction, targetType }) =>
      allows(step.edgeTypes, edgeType) &&
      allows(step.targetTypes, targetType) &&
      (step.direction === 'any' || direction === 'undirected' || direction === step.direction),
  )
  const choice = {
    edgeTypes: [...new Set(all.map(({ edgeType }) => edgeType))],
    targetTypes: [...new Set(all.map(({ targetType }) => targetType))],
  }
  const none = { ...choice, kinds: [], where: '' }
  if (chosen.length === 0) return { ...none, problem: 'No edge of the schema leads on so.' }
  try {
    return { ...choice, ...withCondition(schema, chosen, step.condition), problem: null }
  } catch (error) {
    return { ...none, problem: (error as Error).message }
  }
}

const allows = (wanted: readonly string[], name: string) =>
  wanted.length === 0 || wanted.includes(name)

/** Every kind of edge that the schema lets begin at vertices of these types, once. */
function kindsFrom({ edges }: SchemaModel, sources: ReadonlySet<string>): readonly Kind[] {
  const kinds = edges.flatMap(({ name, directed, pairs }) =>
    pairs.flatMap(({ from, to }): readonly Kind[] => [
      ...(sources.has(from)
        ? [{ edgeType: name, direction: directed ? 'out' : 'undirected', targetType: to } as const]
        : []),
      ...(sources.has(to)
        ? [{ edgeType: name, direction: directed ? 'in' : 'undirected', targetType: from } as const]
        : []),
    ]),
  )
  return [...new Map(kinds.map((kind) => [Object.values(kind).join(' '), kind])).values()]
}

interface Term {
  readonly name: string
  readonly operator: string
  readonly literal: string
}

const TERM = /\s*(\w+)\s*(>=|<=|!=|==?|>|<)\s*("(?:[^"\\]|\\.)*"|[^\s,"]+)\s*(,|and\b|$)/iy

/** @throws Error that says where the text stops making sense */
function parseCondition(text: string): readonly Term[] {
  const terms: Term[] = []
  const pattern = new RegExp(TERM)
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const [whole, name = '', operator = '', literal = '', joint] = pattern.exec(text) ?? []
    if (whole === undefined || (joint !== '' && at + whole.length >= text.length)) {
      throw new Error(
        `“${text.slice(at).trim()}”: write attribute > value, or with =, !=, >=, < or <= in its place.`,
      )
    }
    terms.push({ name, operator: /^==?$/.test(operator) ? '==' : operator, literal })
  }
  return terms
}

/** Narrows to what has the attributes: of the vertices reached, or else of the edges. */
function withCondition(schema: SchemaModel, chosen: readonly Kind[], text: string) {
  let kinds = chosen
  const terms = parseCondition(text.trim()).map(({ name, operator, literal }) => {
    for (const [alias, typeOf] of [
      ['t', ({ targetType }: Kind) => attributeOf(schema.vertices, targetType, name)],
      ['e', ({ edgeType }: Kind) => attributeOf(schema.edges, edgeType, name)],
    ] as const) {
      const having = kinds.filter((kind) => typeOf(kind) !== undefined)
      const [first] = having
      if (first === undefined) continue
      const value = literalOf(literal, typeOf(first)?.type ?? '')
      if (value === null) {
        const type = typeOf(first)?.type
        const hint = type === 'STRING' || type === 'DATETIME' ? ': put it in double quotes' : ''
        throw new Error(`${literal} does not fit ${name}, which is ${type}${hint}.`)
      }
      kinds = having.filter((kind) => literalOf(literal, typeOf(kind)?.type ?? '') === value)
      return `${alias}.${name} ${operator} ${value}`
    }
    throw new Error(`Nothing that this step reaches has an attribute ${name}.`)
  })
  return { kinds, where: terms.join(' AND ') }
}

function attributeOf(
  types: readonly TypeModel[],
  typeName: string,
  name: string,
): Pick<AttributeModel, 'type'> | undefined {
  const type = types.find((one) => one.name === typeName)
  const own = type?.attributes.find((attribute) => attribute.name === name)
  if (own !== undefined || type?.kind !== 'vertex') return own
  const { names, asAttribute, type: idType } = type.primaryId
  return asAttribute && names.length === 1 && names[0] === name ? { type: idType } : undefined
}

/** As GSQL; null: it does not fit the type. */
function literalOf(literal: string, type: string): string | null {
  const isQuoted = literal.startsWith('"')
  if (type === 'STRING') return isQuoted ? literal : null
  if (type === 'DATETIME') return isQuoted ? `to_datetime(${literal})` : null
  if (type === 'BOOL') return /^(true|false)$/i.test(literal) ? literal.toUpperCase() : null
  const isNumber = /^-?(\d+(\.\d+)?|\.\d+)$/.test(literal)
  return isNumber && /^(U?INT|FLOAT|DOUBLE)/.test(type) ? literal : null
}

/** What the query is to print beside its counts; `among`: edges back to where one step began. */
export type StepsWanted = 'counts' | 'edges' | 'among' | 'rows'

/** No type of a graph is likely to be called so: a name in a pattern is a set before it is a type. */
const setName = (step: number) => `qv_${step}`

/**
 * Prints `v1`, `e1` and so on: vertices that a step reaches and none before it did, and its edges.
 * A step is not taken from more vertices than a canvas holds.
 */
export function stepsQuery(
  graph: string,
  plans: readonly StepPlan[],
  wanted: StepsWanted = 'counts',
): string {
  const drawn = wanted === 'edges' || wanted === 'among' ? ', @@edges += e' : ''
  const steps = plans.map(({ kinds, where }, at) => {
    const to = setName(at + 1)
    const condition = where === '' ? '' : ` WHERE ${where}`
    const types = kinds.map(({ targetType }) => targetType)
    const target = wanted === 'among' ? setName(0) : alternation(types)
    return `  ${to} = SELECT t FROM ${setName(at)}:s -(${edgePattern(kinds)}:e)- ${target}:t${condition} ACCUM @@e${at + 1} += 1${drawn};
  ${to} = ${to} MINUS qv_seen;
  qv_seen = qv_seen UNION ${to};
  PRINT ${to}.size() AS v${at + 1}, @@e${at + 1} AS e${at + 1};`
  })
  const guard = (at: number) => `  IF ${setName(at)}.size() <= ${SCENE_VERTICES_MAX} THEN\n`
  const body = steps.map((step, at) => (at === 0 ? step : guard(at) + step)).join('\n')
  return `INTERPRET QUERY (SET<VERTEX> qv_start) FOR GRAPH ${graph} {
  SumAccum<INT> ${plans.map((_, at) => `@@e${at + 1}`).join(', ')};
  SetAccum<EDGE> @@edges;
  qv_0 = {qv_start};
  qv_seen (ANY) = {qv_start};
${body}
${'  END;\n'.repeat(plans.length - 1)}${tails[wanted]}}`
}

const printEdges = `  IF @@edges.size() <= ${2 * SCENE_EDGES_MAX} THEN PRINT @@edges AS edges; END;\n`

const tails: Readonly<Record<StepsWanted, string>> = {
  counts: '',
  edges: printEdges,
  among: printEdges,
  rows: `  qv_rows = qv_seen MINUS qv_0;
  qv_rows = SELECT r FROM qv_rows:r LIMIT ${STEP_ROWS_MAX};
  PRINT qv_rows;\n`,
}

function edgePattern(kinds: readonly Kind[]): string {
  const marks = { out: (name: string) => `${name}>`, in: (name: string) => `<${name}` }
  return alternation(
    kinds.map(({ edgeType, direction }) =>
      direction === 'undirected' ? edgeType : marks[direction](edgeType),
    ),
  )
}

function alternation(names: readonly string[]): string {
  const once = [...new Set(names)]
  return once.length === 1 ? `${once[0]}` : `(${once.join('|')})`
}
