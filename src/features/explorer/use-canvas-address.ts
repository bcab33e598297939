/**
 * The canvas in the address: `#scene=…` where it is short, `#shared=user/id` where a link of it was
 * copied, and behind it what is selected and seen. Written behind every change, in the place of the
 * last; read when it comes from elsewhere: a link, a reload, Back.
 */
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { keepText, keptText } from '#lib/storage/kept.ts'
import type { CanvasHandle, View } from '#ui/graph-canvas/scene.ts'
import { fetchSharedScene, shareScene } from './api/scenes.ts'
import { groupedOf } from './model/groups.ts'
import { isSavable } from './model/saved-scene.ts'
import type { Scene } from './model/scene.ts'
import {
  linkedScene,
  lookText,
  packScene,
  partOf,
  readLinked,
  readLook,
  unpackScene,
} from './model/scene-link.ts'
import { isSuperseded, noteAddress, takeReload } from './own-addresses.ts'
import type { Explorer } from './use-explorer.ts'

/** Longer addresses are cut by what one pastes them into. */
export const ADDRESS_LETTERS_MAX = 2_000
const WRITE_DELAY_MS = 400

/** What the server keeps for links. */
interface Shared {
  readonly text: string
  /** `user/id`. */
  readonly name: string
}

export function useCanvasAddress(
  graph: string,
  explorer: Explorer,
  canvas: RefObject<CanvasHandle | null>,
) {
  const client = useQueryClient()
  const { key } = useLocation()
  const { scene, selection, grouped } = explorer
  const latest = useRef({ scene, selection, grouped })
  useEffect(() => {
    latest.current = { scene, selection, grouped }
  })
  const shared = useRef<Shared | null>(null)
  /** The fragment that stands for the canvas; any other comes from elsewhere. */
  const known = useRef('')
  const isReading = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const writeCount = useRef(0)

  const fragment = useCallback(async (): Promise<string> => {
    const { scene: drawn, ...now } = latest.current
    if (!isSavable(drawn)) return ''
    const text = linkedScene(drawn, now.grouped.groups.keys())
    const isShared = shared.current?.text === text
    const base = isShared ? `#shared=${shared.current?.name}` : `#${await packScene(text)}`
    const view = canvas.current?.view() ?? null
    const look = [now.selection, []]
      .map((chosen) => base + lookText(drawn, { selection: chosen, view }))
      .find((whole) => addressOf(whole).length <= ADDRESS_LETTERS_MAX)
    return look ?? ''
  }, [canvas])

  const write = useCallback(async () => {
    const { href } = window.location
    const number = ++writeCount.current
    const text = await fragment()
    // Packing takes longer than the delay at times: the write that began last has the newest canvas.
    if (number !== writeCount.current) return
    const isGone = timer.current === null || href !== window.location.href
    if (isGone || isReading.current) return
    known.current = text
    keepText(storageKey(graph), text)
    noteAddress(graph, text)
    if (text === window.location.hash) return
    window.history.replaceState(window.history.state, '', addressOf(text))
  }, [fragment, graph])

  /** Something has changed that the address tells. */
  const touch = useCallback(() => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = setTimeout(() => void write(), WRITE_DELAY_MS)
  }, [write])
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what the address tells.
  useEffect(touch, [scene, selection, key, touch])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
  const wantedView = useReading(graph, explorer, { canvas, known, isReading, shared, touch })

  /** An address that shows the canvas to whoever may read the graph; null: it is too large for any. */
  const link = useCallback(async (): Promise<string | null> => {
    const { scene: drawn, ...now } = latest.current
    if (!isSavable(drawn)) return null
    if ((await fragment()) === '') {
      const text = linkedScene(drawn, now.grouped.groups.keys())
      shared.current = { text, name: await shareScene(client, graph, text) }
      touch()
    }
    return addressOf(await fragment())
  }, [client, graph, fragment, touch])
  return { touch, link, wantedView }
}

interface ReadingTools {
  readonly canvas: RefObject<CanvasHandle | null>
  readonly known: RefObject<string>
  /** Meanwhile nothing is written over what is read. */
  readonly isReading: RefObject<boolean>
  readonly shared: RefObject<Shared | null>
  readonly touch: () => void
}

/** Shows what the address names when it comes from elsewhere; answers with the view to begin with. */
function useReading(graph: string, explorer: Explorer, tools: ReadingTools) {
  const { canvas, known, isReading, shared, touch } = tools
  const { key } = useLocation()
  const came = useHashChanges()
  const { open, select, fail, scene } = explorer
  const drawn = useRef(scene)
  useEffect(() => {
    drawn.current = scene
  })
  /** For a canvas that is not there yet. */
  const wantedView = useRef<View | null>(null)
  const look = useCallback(
    (shown: Scene, hash: string) => {
      const { selection: chosen, view } = readLook(shown, hash)
      select(chosen)
      if (canvas.current?.view() == null) wantedView.current = view
      else if (view !== null) canvas.current.showView(view)
    },
    [select, canvas],
  )
  const show = useCallback(
    async (hash: string, isCurrent: () => boolean) => {
      const [name] = partOf(hash, 'shared')
      const before = drawn.current
      // Of what it wrote last this browser has kept more, and what came since.
      const stored = keptText(storageKey(graph))
      const isReload = takeReload()
      const isOwn = stored === hash || (isReload && isSuperseded(graph, hash, stored))
      const isKept = isOwn && before.vertices.size > 0
      if (isKept) look(before, hash)
      if (isKept && name === undefined) return
      const linked = await sceneOf(graph, hash)
      if (!isCurrent()) return
      if (name !== undefined) {
        shared.current = { name, text: linkedScene(linked, groupedOf(linked).groups.keys()) }
      }
      if (isKept) return
      await open(linked)
      look(linked, hash)
    },
    [graph, open, look, shared],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: with key and came the address may be another.
  useEffect(() => {
    const { hash } = window.location
    if (hash === known.current || !/^#(scene|shared)=/.test(hash)) return
    known.current = hash
    isReading.current = true
    let isCurrent = true
    const end = (error?: unknown) => {
      if (!isCurrent) return
      if (error !== undefined) fail(error)
      isCurrent = false
      isReading.current = false
      touch()
    }
    show(hash, () => isCurrent).then(() => end(), end)
    return () => {
      if (!isCurrent) return
      isCurrent = false
      isReading.current = false
      known.current = ''
    }
  }, [key, came, show, fail, touch, known, isReading])
  return wantedView
}

/** @throws Error where it names none */
async function sceneOf(graph: string, hash: string): Promise<Scene> {
  const [name] = partOf(hash, 'shared')
  const text = await (name === undefined ? unpackScene(hash) : fetchSharedScene(graph, name))
  const scene = readLinked(text)
  if (scene === null) throw new Error('The address names no scene that can be read.')
  return scene
}

/** Counts them: Back, and what is typed into the address itself. */
function useHashChanges(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const note = () => setCount((last) => last + 1)
    window.addEventListener('hashchange', note)
    return () => window.removeEventListener('hashchange', note)
  }, [])
  return count
}

const addressOf = (fragment: string): string => {
  const { origin, pathname, search } = window.location
  return origin + pathname + search + fragment
}

const storageKey = (graph: string) => `quiver.explorer.${graph}.address`
