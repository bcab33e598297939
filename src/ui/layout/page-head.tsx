/**
 * Places of the bar above the page: a page draws its title, its tabs and its actions there. Without
 * a bar around it, as at the login, the page draws them above its own content.
 */
import { useMediaQuery } from '@mantine/hooks'
import { createContext, type ReactNode, useCallback, useMemo, useState } from 'react'

interface PageHead {
  readonly title: HTMLElement | null
  readonly tabs: HTMLElement | null
  readonly actions: HTMLElement | null
  /** The bar has room for tabs and actions; else they are a line at the top of the page. */
  readonly isWide: boolean
}

export const PageHeadContext = createContext<PageHead | null>(null)

type Place = 'title' | 'tabs' | 'actions'

const noPlaces: Readonly<Record<Place, HTMLElement | null>> = {
  title: null,
  tabs: null,
  actions: null,
}

/** @returns the places for the context, and the references of their elements */
export function usePageHead() {
  const [places, setPlaces] = useState(noPlaces)
  const isWide = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false })
  const place = useCallback(
    (name: Place) => (element: HTMLElement | null) =>
      setPlaces((before) => (before[name] === element ? before : { ...before, [name]: element })),
    [],
  )
  const refs = useMemo(
    () => ({ title: place('title'), tabs: place('tabs'), actions: place('actions') }),
    [place],
  )
  const head = useMemo(() => ({ ...places, isWide }), [places, isWide])
  return { head, refs }
}

export type PageHeadRefs = ReturnType<typeof usePageHead>['refs']

export function PageHeadProvider({ head, children }: { head: PageHead; children: ReactNode }) {
  return <PageHeadContext value={head}>{children}</PageHeadContext>
}
