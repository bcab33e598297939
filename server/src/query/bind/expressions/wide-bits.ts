/**
 * Bitwise accumulators of more than 64 bits. Their value is a list of INT, the highest word first
 * (`[hi, lo]`, docs/reference/gsql/accumulators.md); named in an expression they are the INT of their lowest 64 bits.
 */

import type { BoundFold } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { type AccumType, BOOL, INT, isWideBits, type ValueType } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo } from '../core/convert.ts'
import { accumRead } from '../core/names.ts'

type Bitwise = Extract<AccumType, { lengthBits: number }>

const WORDS: ValueType = { kind: 'LIST', element: INT }

/** All words of the accumulator that `node` names; null: it names none of more than 64 bits. */
export function bindWideBits(binder: Binder, node: Expression): BoundExpression | null {
  if (node.kind === 'parenthesised' && node.items.length === 1) {
    return bindWideBits(binder, node.items[0]!)
  }
  if (node.kind !== 'globalAccum' && node.kind !== 'vertexAccum') return null
  const read = accumRead(binder, node)
  return read !== null && isWideBits(read.accum) ? read.value : null
}

/** What is folded into one: the words of another, a list of words, or an INT as the lowest. */
export function bindWideFold(binder: Binder, node: Expression): BoundFold {
  return { kind: 'merge', value: wordsIn(binder, node) }
}

function wordsIn(binder: Binder, node: Expression): BoundExpression {
  const whole = bindWideBits(binder, node)
  if (whole !== null) return whole
  const value = binder.expression(node)
  if (value.type.kind === 'LIST') return convertTo(binder, value, WORDS, node.range)
  return words([convertTo(binder, value, INT, node.range)])
}

function words(elements: readonly BoundExpression[]): BoundExpression {
  return { kind: 'collection', type: WORDS, elements }
}

function integer(value: number): BoundExpression {
  return { kind: 'literal', type: INT, value }
}

/** Every bit, or none. */
function uniform({ lengthBits }: Bitwise, word: number): BoundExpression {
  return words(Array.from({ length: Math.ceil(lengthBits / 64) }, () => integer(word)))
}

function called(name: string, type: ValueType, args: readonly BoundExpression[]): BoundExpression {
  return { kind: 'userCall', type, name, arguments: args }
}

/** `cardinality()` and `get(i)`; null: another method. */
export function wideAccessor(
  name: string,
  bits: BoundExpression,
  args: readonly BoundExpression[],
): BoundExpression | null {
  if (name === 'cardinality') return called('bits count', INT, [bits])
  return name === 'get' ? called('bits get', BOOL, [bits, args[0]!]) : null
}

interface WideCall {
  readonly node: CallSyntax
  readonly bits: BoundExpression
  readonly type: Bitwise
  /** Binds the argument at a place as INT, which has to be there. */
  readonly argumentAt: (index: number) => BoundExpression
}

/** The words that a mutator leaves; null: there is no such method. */
export function wideMutation(binder: Binder, call: WideCall): BoundExpression | null {
  const { node, bits, type, argumentAt } = call
  const name = node.name.name.toLowerCase()
  switch (name) {
    case 'reset':
    case 'clear':
      return uniform(type, type.kind === 'BitwiseOrAccum' ? 0 : -1)
    case 'and':
    case 'or':
    case 'xor': {
      const other =
        node.arguments[0] === undefined ? argumentAt(0) : wordsIn(binder, node.arguments[0])
      return called(`bits ${name}`, WORDS, [bits, other])
    }
    case 'flip': {
      const first = argumentAt(0)
      return called('bits flip', WORDS, [
        bits,
        first,
        node.arguments.length < 2 ? first : argumentAt(1),
      ])
    }
    case 'set':
      return node.arguments.length === 0 ? uniform(type, -1) : withBit(binder, call)
    default:
      return null
  }
}

/** `set(i)` and `set(i, b)`. */
function withBit(binder: Binder, { node, bits, argumentAt }: WideCall): BoundExpression {
  const index = argumentAt(0)
  const raised = called('bits set', WORDS, [bits, index, index])
  const wanted = node.arguments[1]
  if (wanted === undefined) return raised
  const condition = bindCondition(binder, wanted)
  const otherwise = called('bits unset', WORDS, [bits, index, index])
  return { kind: 'case', type: WORDS, branches: [{ condition, value: raised }], otherwise }
}
