/** Numbers of types and attributes with a meaning of their own in bound queries. */

/** The attribute id that stands for the primary id itself. */
export const PRIMARY_ID_ATTRIBUTE = -1

/** Ids from here on are those of virtual edge types; those of the catalog are smaller. */
export const VIRTUAL_TYPE_ID_MIN = 2 ** 30

/** @param typeId of an edge type */
export function isVirtualType(typeId: number): boolean {
  return typeId >= VIRTUAL_TYPE_ID_MIN
}
