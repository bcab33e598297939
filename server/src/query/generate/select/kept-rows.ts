/**
 * In texts for profiles: how many rows the conditions of a SELECT's start, and of each hop, have kept.
 * A function counts in locals, which it adds to the run's counters at its end; a text that nobody
 * wants a profile of has none of this.
 */
import type { Unit } from '../text/unit.ts'

/** JavaScript names: of the counters of the run, and of the locals, from the start on. */
export interface KeptRows {
  readonly counters: string
  readonly locals: readonly string[]
}

/** Writes the counters of a SELECT of so many levels; called queries count for nobody. */
export function enterKeptRows(unit: Unit, levels: number): KeptRows | null {
  if (!unit.counted || unit.isCallee) return null
  const kept = {
    counters: unit.name('k'),
    locals: Array.from({ length: levels }, () => unit.name('n')),
  }
  unit.line(`const ${kept.counters}=${unit.call('keptRows', levels)};`)
  unit.line(declared(kept.locals))
  return kept
}

/** Writes that `count` rows were kept at a level. */
export function emitKept(unit: Unit, level: number, count = '1'): void {
  const local = unit.kept?.locals[level]
  if (local !== undefined) unit.line(`${local}+=${count};`)
}

/** Writes that what was counted at a level so far does not count. */
export function emitForgotten(unit: Unit, level: number, condition: string): void {
  const local = unit.kept?.locals[level]
  if (local !== undefined) unit.line(`if(${condition})${local}=0;`)
}

/** The end of a function that counts. */
export function addedText(unit: Unit, kept: KeptRows, locals: readonly string[]): string {
  return locals
    .map((local) => `${unit.call('addKept', kept.counters, kept.locals.indexOf(local), local)};`)
    .join('')
}

export function declared(locals: readonly string[]): string {
  return locals.length === 0 ? '' : `let ${locals.map((local) => `${local}=0`).join(',')};`
}
