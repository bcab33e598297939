/** What of a tuple is printed: its fields, some of which are elements of one list or tell of null. */
import { isNullFlag, itemOf, nullFlagOf } from '#query/ir/row-names.ts'

export interface PrintedMember {
  readonly key: Uint8Array
  readonly part: PrintedPart
}

export type PrintedPart =
  /** Indexes of the field and of the one that says when it is null; -1: it never is. */
  | { readonly kind: 'field'; readonly field: number; readonly nullFlag: number }
  | { readonly kind: 'list'; readonly items: readonly PrintedPart[] }

/** @param names of the fields */
export function printedMembers(names: readonly string[]): readonly PrintedMember[] {
  const encoder = new TextEncoder()
  const members: PrintedMember[] = []
  const lists = new Map<string, PrintedPart[]>()
  const place = (name: string, part: PrintedPart): void => {
    const item = itemOf(name)
    if (item === null) {
      members.push({ key: encoder.encode(name), part })
      return
    }
    const known = lists.get(item.list)
    const items = known ?? []
    items[item.index] = part
    if (known !== undefined) return
    lists.set(item.list, items)
    place(item.list, { kind: 'list', items })
  }
  names.forEach((name, field) => {
    if (isNullFlag(name)) return
    place(name, { kind: 'field', field, nullFlag: names.indexOf(nullFlagOf(name)) })
  })
  return members
}
