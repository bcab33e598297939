/** A range of versions of Node; `text` names it in a message. */
export interface NodeRange {
  readonly majors: Readonly<Record<string, number>>
  readonly from: number
  readonly text: string
}

export const checkout: NodeRange
export const server: NodeRange
export function suits(range: NodeRange, version: string): boolean
