/** Queues for the mutators of a clause, and what applies them when it ends (docs/reference/gsql/accumulators.md). */
import type { BoundAccumTarget } from '#query/ir/bound.ts'
import { accumKey, type Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { emitMutationAt } from './mutation.ts'

type Target = Exclude<BoundAccumTarget, { kind: 'local' }>

export interface DeferredMutations {
  readonly queues: ReadonlyMap<string, string>
  /** Writes what applies them, given the scope with the columns of old values. */
  apply(scope: Scope): void
}

/** Makes a queue for every accumulator that `body` calls mutators of. */
export function enterDeferred(
  unit: Unit,
  body: unknown,
  wanted: (target: Target) => boolean,
): DeferredMutations {
  const targets = new Map<string, Target>()
  collect(body, (target) => {
    if (wanted(target)) targets.set(accumKey(target), target)
  })
  const queues = new Map<string, string>()
  for (const key of targets.keys()) {
    const name = unit.name('k')
    unit.line(`const ${name}=${unit.call('newQueue')};`)
    queues.set(key, name)
  }
  const apply = (scope: Scope): void => {
    for (const [key, queue] of queues) emitApply(unit, { target: targets.get(key)!, queue }, scope)
  }
  return { queues, apply }
}

function emitApply(
  unit: Unit,
  { target, queue }: { readonly target: Target; readonly queue: string },
  scope: Scope,
): void {
  const [i, vertex] = [unit.name('k'), unit.name('u')]
  unit.line(`for(let ${i}=0;${i}<${unit.call('deferredCount', queue)};${i}++){`)
  const change = (block: string) => unit.call('applyDeferred', queue, i, block)
  if (target.kind === 'globalAccum') {
    const state = `g${target.slot}`
    emitMutationAt(unit, { target, place: { state, count: `${state}_c` }, scope }, change)
    unit.line('}')
  } else {
    const column = `v${target.slot}`
    const place = { state: `${column}[${vertex}]`, count: `${column}_c[${vertex}]` }
    unit.line(`const ${vertex}=${unit.call('deferredVertex', queue, i)};if(${vertex}>=0){`)
    emitMutationAt(unit, { target, place, scope }, change)
    unit.line('}}')
  }
  unit.line(`${unit.call('dropQueue', queue)};`)
}

interface AnyNode {
  readonly kind?: unknown
  readonly target?: BoundAccumTarget
}

function collect(node: unknown, see: (target: Target) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) collect(child, see)
  } else if (typeof node === 'object' && node !== null) {
    const { kind, target } = node as AnyNode
    const changes = kind === 'mutate' || kind === 'pop' || kind === 'updateElement'
    if (changes && target !== undefined && target.kind !== 'local') see(target)
    for (const child of Object.values(node)) collect(child, see)
  }
}
