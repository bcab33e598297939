/**
 * One colour and one icon per vertex or edge type, the same on every page.
 *
 * Types take their colours in the order in which they came into the schema: vertex types from the
 * first five slots on, edge types from the next five on. New types therefore never recolour old ones.
 */
import { createContext, type ReactNode, use, useCallback, useMemo } from 'react'
import { type TypeIcon, typeIcon, typeInitials } from './type-icons.ts'

export const TYPE_COLOR_COUNT = 12

/** Which slots types take, one after the other; then from the first on again. */
const vertexSlots = [1, 2, 3, 4, 5, 11, 12, 10, 9, 8, 7, 6] as const
const edgeSlots = [6, 7, 8, 9, 10, 12, 11, 5, 4, 3, 2, 1] as const

export interface TypeMark {
  /** 1 to 12: the number of the token `--q-tn`. */
  readonly slot: number
  /** For style attributes and CSS. A canvas resolves it with `tokenValue`. */
  readonly color: string
  /** Null: the initials instead. */
  readonly icon: TypeIcon | null
  readonly initials: string
  /** Of an edge type. */
  readonly isDirected?: boolean
}

export interface MarkedTypes {
  readonly vertexTypes: readonly string[]
  readonly edgeTypes: readonly string[]
}

/** @param types each in the order of the schema */
export function typeMarks({ vertexTypes, edgeTypes }: MarkedTypes): ReadonlyMap<string, TypeMark> {
  const marks = new Map<string, TypeMark>()
  const add = (names: readonly string[], slots: readonly number[]) => {
    for (const [place, name] of names.entries()) {
      if (!marks.has(name)) marks.set(name, markOf(name, slots[place % slots.length] ?? 1))
    }
  }
  add(vertexTypes, vertexSlots)
  add(edgeTypes, edgeSlots)
  return marks
}

const markOf = (name: string, slot: number): TypeMark => ({
  slot,
  color: `var(--q-t${slot})`,
  icon: typeIcon(name),
  initials: typeInitials(name),
})

/** For a type that the schema does not have, such as one of a draft. FNV-1a over UTF-16 code units. */
function slotByName(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return ((hash >>> 0) % TYPE_COLOR_COUNT) + 1
}

const NoMarks: ReadonlyMap<string, TypeMark> = new Map()
const TypeMarksContext = createContext(NoMarks)

interface TypeMarksProviderProps {
  readonly types: MarkedTypes
  readonly children: ReactNode
}

export function TypeMarksProvider({ types, children }: TypeMarksProviderProps) {
  const marks = useMemo(() => typeMarks(types), [types])
  return <TypeMarksContext value={marks}>{children}</TypeMarksContext>
}

/** The mark of any type name. */
export function useTypeMark(): (name: string) => TypeMark {
  const marks = use(TypeMarksContext)
  return useCallback((name) => marks.get(name) ?? markOf(name, slotByName(name)), [marks])
}
