/** Names of hidden columns, which no user can write and the printer knows. */

const NULL_FLAG = '#null '

/** The companion of a name: a BOOL, true where the name is null. */
export function nullFlagOf(name: string): string {
  return `${NULL_FLAG}${name}`
}

export function isNullFlag(name: string): boolean {
  return name.startsWith(NULL_FLAG)
}

/** The column of one element of a list that is written out; the list may be such an element. */
export function itemName(list: string, index: number): string {
  return `#item ${index} ${list}`
}

/** Null: the column is no element of a list. */
export function itemOf(name: string): { readonly list: string; readonly index: number } | null {
  const found = /^#item (\d+) /.exec(name)
  return found && { list: name.slice(found[0].length), index: Number(found[1]) }
}
