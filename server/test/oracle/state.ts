/**
 * Accumulators and collection values. A value of a collection type is a state of its own: reading
 * an accumulator copies it, so that nothing evaluated before changes later.
 */
import { compareLists, keyOf, Unsupported, type Value } from './values.ts'

/** What is folded in, evaluated. */
export type Folded =
  | { readonly kind: 'scalar' | 'element' | 'elements' | 'merge'; readonly value: Value }
  | { readonly kind: 'pair'; readonly key: Value; readonly value: Folded; readonly assign: boolean }
  | {
      readonly kind: 'at'
      readonly indexes: readonly Value[]
      readonly assign: boolean
      readonly value: Folded
    }
  | {
      readonly kind: 'group'
      readonly keys: readonly Value[]
      readonly values: readonly (Folded | null)[]
    }

export abstract class State {
  abstract fold(folded: Folded): void
  abstract clear(): void
  /** `=`: what is folded into a fresh instance. */
  assign(folded: Folded): void {
    this.clear()
    this.fold(folded)
  }
  abstract clone(): State
  /** As an expression sees it. */
  read(): Value {
    return this.clone()
  }
  elements(): readonly Value[] {
    throw new Unsupported('elements of this state')
  }
  get size(): number {
    return this.elements().length
  }
  key(): string {
    return `[${this.elements().map(keyOf).join(',')}]`
  }
  /** Zero when equal: what has no order is equal in whatever order it came. */
  compareWith(other: State): number {
    return compareLists(this.elements(), other.elements())
  }
}

export function compareKeys(left: State, right: State): number {
  const [a, b] = [left.key(), right.key()]
  return a === b ? 0 : a < b ? -1 : 1
}

export function isState(value: Value): value is State {
  return value instanceof State
}

/** The elements that a folded collection brings. */
export function elementsOf(value: Value): readonly Value[] {
  if (isState(value)) return value.elements()
  throw new Unsupported('elements of a value that is no collection')
}

export function readOf(value: Value): Value {
  return isState(value) ? value.read() : value
}
