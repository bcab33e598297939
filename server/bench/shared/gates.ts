/** The least that a run over a shared store shall show, and what it did show. */
import type { MachineSpeed } from '../machine-speed.ts'

export interface GateResult {
  readonly title: string
  readonly least: string
  readonly reached: string
  readonly isMet: boolean
}

export interface SharedSettings {
  /** On the disk that both stores are measured on. */
  readonly directory: string
  readonly rounds: number
  /** Of a round of commits. */
  readonly seconds: number
  readonly scale: number
  readonly speed: MachineSpeed
}

export function gateTable(gates: readonly GateResult[]): string {
  const rows = gates.map(
    ({ title, least, reached, isMet }) =>
      `${title.padEnd(66)} ${least.padEnd(14)} ${reached.padEnd(16)} ${isMet ? '' : 'MISSED'}`,
  )
  return [`${'gate'.padEnd(66)} ${'at least'.padEnd(14)} reached`, ...rows].join('\n')
}

export function print(name: string, figures: readonly string[]): void {
  console.log(`${name.padEnd(46)} ${figures.join('   ')}`)
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** @param share like 0.99 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
