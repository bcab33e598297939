/**
 * Called queries: each is a function of the text whose accumulators, sets and variables are its
 * own locals, so that every call, a recursive one too, has a state of its own. What a call leaves
 * behind is given back, also where it raises; a collection it returns is a temporary of the caller.
 */
import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { deadResults } from '#query/plan/rewrites/drop-dead-results.ts'
import { splitChains } from '#query/plan/rewrites/split-chains.ts'
import { registerKind } from '../expressions/accum-kinds.ts'
import { bodyScope, type Scope } from '../text/scope.ts'
import { stateText } from '../text/state-text.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import { emitBody } from './body.ts'
import { returnedCode, returnsBlock } from './returned.ts'

type Call = Extract<BoundExpression, { kind: 'callQuery' }>

export function callQuery(unit: Unit, node: Call, scope: Scope): string {
  const args = node.arguments.map((argument) => unit.expression(argument, scope))
  return `${calleeName(unit, node.callee)}(${args.join(',')})`
}

/** Written when it is first called; a call of itself finds its name. */
function calleeName(unit: Unit, index: number): string {
  const { callees } = unit.shared
  const known = callees.get(index)
  if (known !== undefined) return known
  const name = unit.name('q')
  callees.set(index, name)
  const query = splitChains(unit.shared.query.callees[index]!)
  const text = calleeText(unit.forCallee(query, deadResults(query.body)), name)
  unit.shared.calleeTexts.push(text)
  return name
}

function calleeText(unit: Unit, name: string): string {
  const { query } = unit
  const [mark, result] = [unit.name('k'), unit.name('k')]
  const [run, end] = [unit.name('q'), unit.name('q')]
  const body = unit.capture(() => emitBody(unit, query.body, bodyScope))
  const lines = [
    `function ${name}(${unit.parameterNames.join(',')}){`,
    `const ${mark}=${unit.call('enterCall')};`,
    stateText(unit),
    ...unit.functions,
    `function ${run}(){let ec=0,rc=0;\n${body}\nreturn ${returnedCode(unit, null)};}`,
    `function ${end}(){`,
    ...releases(unit, query),
    `}const ${result}=${unit.call('runCall', run, end)};`,
    `return ${unit.call('leaveCall', mark, result, String(returnsBlock(query)))};}`,
  ]
  return lines.join('\n')
}

/** Accumulators and variables of the call. */
function releases(unit: Unit, query: BoundQuery): string[] {
  const lines: string[] = []
  query.globalAccums.forEach(({ type }, slot) => {
    if (registerKind(unit, type) === null) lines.push(`${unit.call('dropBlock', `g${slot}`)};`)
  })
  query.vertexAccums.forEach(({ type }, slot) => {
    const isBlock = registerKind(unit, type) === null
    lines.push(`${unit.call('dropAccum', `v${slot}`, String(isBlock))};`)
    if (isBlock) lines.push(`${unit.call('dropBlock', `i${slot}`)};`)
    else if (type.kind === 'AvgAccum')
      lines.push(`${unit.call('dropAccum', `v${slot}_c`, 'false')};`)
  })
  query.variables.forEach(({ type }, slot) => {
    if (isBlockKind(type.kind)) lines.push(`${unit.call('dropBlock', `x${slot}`)};`)
  })
  return lines
}
