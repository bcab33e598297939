/** Mutators (`clear`, `update`, `remove`, `pop`, `resize`) as statements. */
import type { BoundMutation } from '#query/ir/bound.ts'
import { registerKind } from '../expressions/accum-kinds.ts'
import { accumKey, type Scope } from '../text/scope.ts'
import { isBlockKind } from '../text/temporaries.ts'
import type { Unit } from '../text/unit.ts'
import {
  accumType,
  emitBlock,
  emitRegisterReset,
  type StatePlace,
  withPlace,
} from './accum-write.ts'

/** A mutator, at once or noted for the clause's end (see `deferred.ts` of the runtime). */
export function emitMutation(unit: Unit, statement: BoundMutation, scope: Scope): void {
  const { target, method } = statement
  const code = unit.bind(`mutator ${method}`, () => method)
  const queue = target.kind === 'local' ? undefined : scope.deferred.get(accumKey(target))
  const args = statement.arguments.map((argument) => {
    const value = unit.expression(argument, scope)
    const outlives = queue !== undefined && isBlockKind(argument.type.kind)
    return outlives ? unit.call('copyBlock', value) : value
  })
  if (target.kind === 'local') emitLocalMutation(unit, { slot: target.slot, code, args }, scope)
  else if (queue === undefined) {
    withPlace(unit, target, scope, (place) =>
      emitMutationAt(unit, { target, place, scope }, (block) =>
        unit.call('mutate', code, block, ...args),
      ),
    )
  } else {
    const vertex = target.kind === 'globalAccum' ? '-1' : unit.expression(target.of, scope)
    unit.line(`${unit.call('defer', queue, code, vertex, ...args)};`)
  }
}

function emitLocalMutation(
  unit: Unit,
  mutation: { readonly slot: number; readonly code: string; readonly args: readonly string[] },
  scope: Scope,
): void {
  const { slot, code, args } = mutation
  const name = `${scope.localPrefix}${slot}`
  const accum = scope.locals[slot]?.accum
  const kind = accum === undefined ? null : registerKind(unit, accum)
  if (kind === null) unit.line(`${unit.call('mutate', code, name, ...args)};`)
  else emitRegisterReset(unit, kind, { state: name, count: `${name}_c` })
}

/** The only mutator of a register is `clear()`. */
export function emitMutationAt(
  unit: Unit,
  at: {
    readonly target: Exclude<BoundMutation['target'], { kind: 'local' }>
    readonly place: StatePlace
    readonly scope: Scope
  },
  change: (block: string) => string,
): void {
  const type = accumType(unit, at.target)
  const kind = registerKind(unit, type)
  if (kind === null) unit.line(`${change(emitBlock(unit, type, at))};`)
  else emitRegisterReset(unit, kind, at.place)
}
