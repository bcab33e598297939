/** Whether an answer of the engine is the one that the oracle gives. */
import { type Json, parseExactly, textOf } from './exact-json.ts'
import type { Printed } from './print.ts'
import type { Answer } from './run.ts'

/** @returns null when they agree, else what differs and where */
export function difference(answer: Answer, results: string): string | null {
  const given = parseExactly(results)
  if (given.kind !== 'list') return 'the results are no list'
  if (given.items.length !== answer.length) {
    return `${given.items.length} objects printed instead of ${answer.length}`
  }
  for (const [i, members] of answer.entries()) {
    const wrong = differs({ kind: 'object', members }, given.items[i]!, `results[${i}]`)
    if (wrong !== null) return wrong
  }
  return null
}

function differs(expected: Printed, given: Json, path: string): string | null {
  switch (expected.kind) {
    case 'raw':
      if (given.kind === 'text' && given.json === expected.json) return null
      if (textOf(given) === normalised(expected.json)) return null
      return `${path}: ${textOf(given)} instead of ${expected.json}`
    case 'real':
      if (given.kind === 'text' && isNear(expected.json, given.json, expected.digits)) return null
      return `${path}: ${textOf(given)} instead of ${expected.json}`
    case 'list':
      return listDiffers(expected, given, path)
    case 'object': {
      if (given.kind !== 'object') return `${path}: ${textOf(given)} instead of an object`
      if (given.members.size !== new Map(expected.members).size) {
        return `${path}: members ${[...given.members.keys()]} instead of ${expected.members.map(([key]) => key)}`
      }
      return membersDiffer(expected.members, given.members, path)
    }
  }
}

/** Vertices of two types may have one id, as keys of a map: of members of one name any counts. */
function membersDiffer(
  expected: Extract<Printed, { kind: 'object' }>['members'],
  given: ReadonlyMap<string, Json>,
  path: string,
): string | null {
  const byKey = Map.groupBy(expected, ([key]) => key)
  for (const [key, values] of byKey) {
    const member = given.get(key)
    if (member === undefined) return `${path}.${key} is missing`
    const wrong = values.map(([, value]) => differs(value, member, `${path}.${key}`))
    if (!wrong.includes(null)) return wrong[0]!
  }
  return null
}

function listDiffers(
  expected: Extract<Printed, { kind: 'list' }>,
  given: Json,
  path: string,
): string | null {
  if (given.kind !== 'list') return `${path}: ${textOf(given)} instead of a list`
  const { items, isOrdered } = expected
  if (items.length !== given.items.length) {
    return `${path}: ${textOf(given)} has ${given.items.length} elements instead of ${items.length}`
  }
  if (isOrdered) {
    for (const [i, item] of items.entries()) {
      const wrong = differs(item, given.items[i]!, `${path}[${i}]`)
      if (wrong !== null) return wrong
    }
    return null
  }
  const rest = [...given.items]
  for (const [i, item] of items.entries()) {
    const at = rest.findIndex((one) => differs(item, one, '') === null)
    if (at < 0) return `${path}: element ${i} of the oracle is not in ${textOf(given)}`
    rest.splice(at, 1)
  }
  return null
}

/** Sums of real numbers may be folded in another order. */
function isNear(expected: string, given: string, digits: number): boolean {
  if (expected === given) return true
  const [a, b] = [Number(expected), Number(given)]
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false
  const tolerance = digits <= 7 ? 2e-6 : 1e-12
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b))
}

function normalised(json: string): string {
  try {
    return textOf(parseExactly(json))
  } catch {
    return json
  }
}
