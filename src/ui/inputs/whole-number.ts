/** Whole numbers as they are typed. */
export interface WholeRange {
  /** Both ends inclusive. */
  readonly min: number
  readonly max: number
}

/** Spaces and thousands separators are read over; undefined when it is not one in the range. */
export function readWhole(text: string, { min, max }: WholeRange): number | undefined {
  const digits = text.replaceAll(/[\s,_]/g, '')
  if (!/^-?\d{1,15}$/.test(digits)) return undefined
  const value = Number(digits)
  return value >= min && value <= max ? value : undefined
}

/** From nothing a step goes to the lower end. */
export function stepped(value: number | undefined, step: number, { min, max }: WholeRange): number {
  if (value === undefined) return min
  return Math.min(max, Math.max(min, value + step))
}
