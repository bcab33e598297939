/** Which components of a large schema are open on the canvas, and what of it is to be in view. */
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { CanvasHandle } from '#ui/graph-canvas/scene.ts'
import { type Component, closedComponents, endsOf, isLarge } from '../model/collapsed.ts'

export interface OpenedComponents {
  /** False: the schema is small, and all of it is shown. */
  readonly isLarge: boolean
  readonly closed: readonly Component[]
  /** @param name any vertex type of the component */
  readonly open: (name: string) => void
  readonly openAll: () => void
  /** All but the one that the selection is in. */
  readonly closeAll: () => void
}

const nothing: ReadonlySet<string> = new Set()

export function useOpenedComponents(
  schema: SchemaModel,
  selected: string | null,
): OpenedComponents {
  const [opened, setOpened] = useState(nothing)
  const large = isLarge(schema)
  const closed = useMemo(
    () => (large ? closedComponents(schema, opened) : []),
    [large, schema, opened],
  )
  const open = (...names: readonly string[]) => setOpened(new Set([...opened, ...names]))
  // What is selected, by whichever way, is shown.
  const ends = selected === null ? [] : endsOf(schema, selected)
  if (closed.some(({ vertices }) => vertices.some((name) => ends.includes(name)))) open(...ends)
  return {
    isLarge: large,
    closed,
    open,
    openAll: () => open(...closed.map(({ hub }) => hub)),
    closeAll: () => setOpened(nothing),
  }
}

interface Chosen {
  readonly name: string | null
  readonly elements: readonly string[]
}

/**
 * Brings into view what is wanted: a selection that was made elsewhere than on the canvas, or what
 * `lookAt` names. New nodes find their places later: then the page calls `look`.
 */
export function useLook(handle: RefObject<CanvasHandle | null>, { name, elements }: Chosen) {
  const wanted = useRef(elements)
  const seen = useRef(name)
  const chosenHere = useRef<string | null | undefined>(undefined)
  const look = () => {
    if (wanted.current.length > 0) handle.current?.fit(wanted.current)
  }
  useEffect(() => {
    // Elements are new after each edit, too: that moves nothing.
    if (seen.current === name) return
    seen.current = name
    wanted.current = chosenHere.current === name ? [] : elements
    chosenHere.current = undefined
    if (wanted.current.length > 0) handle.current?.fit(wanted.current)
  }, [handle, name, elements])
  return {
    look,
    lookAt: (ids: readonly string[]) => {
      wanted.current = ids
    },
    chooseHere: (chosen: string | null) => {
      chosenHere.current = chosen
    },
  }
}
