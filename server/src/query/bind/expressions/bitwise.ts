/**
 * Methods of BitwiseOrAccum and BitwiseAndAccum. A bitwise accumulator is an INT whose bits count:
 * each method is the arithmetic that it stands for, a mutator an assignment of its result.
 */

import type { BoundAccumUpdate } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumType, BOOL, INT } from '#query/ir/types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { accumTypeOf, bindAccumPlace } from '../accumulators/mutate.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { bindInt } from '../statements/control.ts'
import { bindWideBits, wideAccessor, wideMutation } from './wide-bits.ts'

type Bitwise = Extract<AccumType, { kind: 'BitwiseOrAccum' | 'BitwiseAndAccum' }>

export function bitwiseType(binder: Binder, node: Expression): Bitwise | null {
  const type = accumTypeOf(binder, node)
  return type?.kind === 'BitwiseOrAccum' || type?.kind === 'BitwiseAndAccum' ? type : null
}

/** `cardinality()` and `get(i)`; null: another method. */
export function bindBitwiseAccessor(
  binder: Binder,
  node: CallSyntax,
  of: Expression,
): BoundExpression | null {
  const type = bitwiseType(binder, of)
  if (type === null) return null
  const whole = bindWideBits(binder, of)
  if (whole !== null) {
    const args = node.name.name === 'get' ? [argumentAt(binder, node, 0)] : []
    return wideAccessor(node.name.name, whole, args)
  }
  const bits = binder.expression(of)
  switch (node.name.name) {
    case 'cardinality': {
      const mask = integer(2n ** BigInt(type.lengthBits) - 1n)
      const own = type.lengthBits === 64 ? bits : arithmetic('&', bits, mask)
      return { kind: 'call', type: INT, name: 'bit_count', arguments: [own] }
    }
    case 'get': {
      const index = argumentAt(binder, node, 0)
      const bit = arithmetic('&', arithmetic('>>', bits, index), integer(1n))
      return { kind: 'compare', type: BOOL, operator: '==', left: bit, right: integer(1n) }
    }
    default:
      return null
  }
}

/** A mutator as a statement; null: the receiver is no bitwise accumulator. */
export function bindBitwiseMutation(binder: Binder, node: CallSyntax): BoundAccumUpdate | null {
  const { of } = node
  const type = of === null ? null : bitwiseType(binder, of)
  if (of === null || type === null) return null
  const whole = bindWideBits(binder, of)
  const value =
    whole === null
      ? newBits(binder, node, { of, type })
      : (wideMutation(binder, {
          node,
          bits: whole,
          type,
          argumentAt: (index) => argumentAt(binder, node, index),
        }) ?? failMutation(binder, node, type))
  const place = bindAccumPlace(binder, of)
  if (place === null) return null
  return {
    kind: 'updateAccum',
    target: place.target,
    assign: true,
    value: { kind: whole === null ? 'scalar' : 'merge', value },
    applies: null,
    place: binder.place(node.range),
  }
}

const METHODS = ['reset', 'set', 'flip', 'and', 'or', 'xor', 'cardinality', 'get']

function newBits(
  binder: Binder,
  node: CallSyntax,
  { of, type }: { readonly of: Expression; readonly type: Bitwise },
): BoundExpression {
  const name = node.name.name.toLowerCase()
  if (name === 'reset' || name === 'clear') {
    return integer(type.kind === 'BitwiseOrAccum' ? 0n : -1n)
  }
  if (name === 'set' && node.arguments.length === 0) return integer(-1n)
  const bits = binder.expression(of)
  switch (name) {
    case 'set':
      return withBit(binder, node, bits)
    case 'flip':
      return exclusive(bits, flipMask(binder, node))
    case 'and':
      return arithmetic('&', bits, argumentAt(binder, node, 0))
    case 'or':
      return arithmetic('|', bits, argumentAt(binder, node, 0))
    case 'xor':
      return exclusive(bits, argumentAt(binder, node, 0))
    default:
      return failMutation(binder, node, type)
  }
}

function failMutation(binder: Binder, node: CallSyntax, type: Bitwise): never {
  const hint = suggest(node.name.name, METHODS)
  const message = `no method "${node.name.name}" changes ${type.kind}${hint}`
  return binder.fail(diagnosticCodes.noSuchMethod, node.name.range, message)
}

/** `set(i)` and `set(i, b)`. */
function withBit(binder: Binder, node: CallSyntax, bits: BoundExpression): BoundExpression {
  const bit = arithmetic('<<', integer(1n), argumentAt(binder, node, 0))
  const raised = arithmetic('|', bits, bit)
  const wanted = node.arguments[1]
  if (wanted === undefined) return raised
  const lowered = arithmetic('&', bits, arithmetic('-', integer(-1n), bit))
  const condition = bindCondition(binder, wanted)
  return { kind: 'case', type: INT, branches: [{ condition, value: raised }], otherwise: lowered }
}

/** `flip(i)`, and `flip(i, j)` for the bits from i to j. */
function flipMask(binder: Binder, node: CallSyntax): BoundExpression {
  const first = argumentAt(binder, node, 0)
  if (node.arguments.length < 2) return arithmetic('<<', integer(1n), first)
  const last = argumentAt(binder, node, 1)
  // Bits below `last + 1`, without those below `first`; all ones for the 64th.
  const upTo = arithmetic('-', arithmetic('<<', integer(2n), last), integer(1n))
  const below = arithmetic('-', arithmetic('<<', integer(1n), first), integer(1n))
  return arithmetic('-', upTo, below)
}

function argumentAt(binder: Binder, node: CallSyntax, index: number): BoundExpression {
  const argument = node.arguments[index]
  if (argument !== undefined) return bindInt(binder, argument)
  const message = `${node.name.name} takes ${index + 1} argument(s)`
  return binder.fail(diagnosticCodes.argumentCount, node.range, message)
}

/** `a xor b` is `(a | b) - (a & b)`: no borrow crosses a bit. */
function exclusive(left: BoundExpression, right: BoundExpression): BoundExpression {
  return arithmetic('-', arithmetic('|', left, right), arithmetic('&', left, right))
}

function arithmetic(
  operator: '&' | '|' | '<<' | '>>' | '-',
  left: BoundExpression,
  right: BoundExpression,
): BoundExpression {
  return { kind: 'arithmetic', type: INT, operator, left, right }
}

function integer(value: bigint): BoundExpression {
  const number = Number(value)
  return { kind: 'literal', type: INT, value: Number.isSafeInteger(number) ? number : value }
}
