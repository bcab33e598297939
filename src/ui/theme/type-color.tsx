/**
 * One colour and one shape per vertex or edge type, the same on every page.
 *
 * A type takes the slot its name hashes to; where an older type of the schema sits there already,
 * the next free one. New types therefore never recolour old ones, and up to twelve types never
 * share a colour. The shape is the second channel for whoever cannot tell the colours apart.
 */
import { createContext, type ReactNode, use, useCallback, useMemo } from 'react'

export const TYPE_COLOR_COUNT = 12

const typeShapes = [
  'ellipse',
  'round-rectangle',
  'diamond',
  'hexagon',
  'round-triangle',
  'pentagon',
] as const

export type TypeShape = (typeof typeShapes)[number]

export interface TypeMark {
  /** 1 to 12: the number of the token `--q-type-n`. */
  readonly slot: number
  /** For style attributes and CSS. A canvas resolves it with `tokenValue`. */
  readonly color: string
  readonly shape: TypeShape
}

/** FNV-1a over UTF-16 code units: stable over sessions and machines. */
function hashName(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

export function typeMarks(namesInSchemaOrder: readonly string[]): ReadonlyMap<string, TypeMark> {
  const marks = new Map<string, TypeMark>()
  let taken = new Set<number>()
  for (const name of namesInSchemaOrder) {
    if (marks.has(name)) continue
    if (taken.size === TYPE_COLOR_COUNT) taken = new Set()
    let slot = hashName(name) % TYPE_COLOR_COUNT
    while (taken.has(slot)) slot = (slot + 1) % TYPE_COLOR_COUNT
    taken.add(slot)
    marks.set(name, markOf(slot, name))
  }
  return marks
}

const markOf = (slot: number, name: string): TypeMark => ({
  slot: slot + 1,
  color: `var(--q-type-${slot + 1})`,
  shape: typeShapes[(hashName(name) >>> 8) % typeShapes.length]!,
})

const NoMarks: ReadonlyMap<string, TypeMark> = new Map()
const TypeMarksContext = createContext(NoMarks)

interface TypeMarksProviderProps {
  /** Vertex types, then edge types, in the order of the schema. */
  readonly names: readonly string[]
  readonly children: ReactNode
}

export function TypeMarksProvider({ names, children }: TypeMarksProviderProps) {
  const marks = useMemo(() => typeMarks(names), [names])
  return <TypeMarksContext value={marks}>{children}</TypeMarksContext>
}

/** The mark of any type name; one the schema does not know gets the slot of its hash. */
export function useTypeMark(): (name: string) => TypeMark {
  const marks = use(TypeMarksContext)
  return useCallback(
    (name) => marks.get(name) ?? markOf(hashName(name) % TYPE_COLOR_COUNT, name),
    [marks],
  )
}
