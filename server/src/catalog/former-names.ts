/** What types and attributes were called before: told to who still uses an old name. */
import type { EdgeType, VertexType } from './types.ts'

/** Names that one thing remembers. */
const FORMER_NAMES_MAX = 8

export interface Renamed {
  readonly name: string
  readonly formerNames?: readonly string[]
}

/** The names something has had once it is called `next`. */
export function formerNamesWith(
  former: readonly string[] | undefined,
  name: string,
  next: string,
): readonly string[] {
  const others = (former ?? []).filter((one) => one !== name && one !== next)
  return [...others, name].slice(-FORMER_NAMES_MAX)
}

/** Something that is about to get the name `next`. */
export function withFormerName<T extends Renamed>(one: T, next: string): T {
  return { ...one, formerNames: formerNamesWith(one.formerNames, one.name, next) }
}

/** What is called otherwise now, by a name it had; undefined: nothing was called so. */
export function renamedFrom<T extends Renamed>(all: readonly T[], name: string): T | undefined {
  return all.findLast((one) => one.formerNames?.includes(name))
}

/** The present name of a type of some that was called `name`; undefined: there is none. */
export function newNameAmong(
  vertexTypes: readonly VertexType[],
  edgeTypes: readonly EdgeType[],
  name: string,
): string | undefined {
  const type = renamedFrom<Renamed>([...vertexTypes, ...edgeTypes], name)
  if (type !== undefined) return type.name
  const reversed = edgeTypes.find((one) => one.formerReverseNames?.includes(name))
  return reversed?.reverseName ?? undefined
}
