/**
 * A graph on screen: draws a scene, and is as usable by keyboard and screen reader as by mouse.
 *
 * The picture is an application region with a cursor that arrow keys move; a list of the same
 * elements stands behind it for screen readers and tests. Selection is controlled by the page.
 */
import {
  type Ref,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../feedback/states.tsx'
import { notify } from '../feedback/toasts.tsx'
import { useTypeMark } from '../theme/type-color.tsx'
import type { CanvasEngine } from './engine/engine.ts'
import { watchFrames } from './engine/frame-rate.ts'
import { onThemeChange } from './engine/theme-colors.ts'
import styles from './graph-canvas.module.css'
import { canvasKey, type KeyContext } from './interaction/keys.ts'
import { registerCanvasShortcuts } from './interaction/shortcuts.ts'
import { describeNode } from './interaction/walk.ts'
import { MirrorList } from './mirror-list.tsx'
import type { CanvasEvents, CanvasHandle, Positions, Scene, View } from './scene.ts'

interface GraphCanvasProps extends CanvasEvents {
  /** The name of the region, such as "Schema of acme". */
  readonly label: string
  readonly scene: Scene
  readonly selection: readonly string[]
  /** Places of nodes that are not on the canvas yet; one without finds a place of its own. */
  readonly initialPositions?: Positions
  /** Elements that stay bright while the rest is dimmed; null: all. */
  readonly spotlight?: ReadonlySet<string> | null
  /** A node under the pointer dims what is not beside it. */
  readonly hoverDims?: boolean
  /** Drags draw edges instead of moving nodes. */
  readonly connecting?: boolean
  /** A map of the scene while part of it is out of view; for the mouse alone, keys walk and fit. */
  readonly minimap?: boolean
  /** What lies over the lower left corner: no node is to be fitted under it. */
  readonly coverRef?: React.RefObject<HTMLElement | null>
  /** Keys the canvas has no use for, with the node the keyboard is on. */
  readonly onKey?: (event: React.KeyboardEvent, cursor: string | null) => void
  readonly handleRef?: Ref<CanvasHandle>
  /** What is to be seen at first, instead of all; taken once. */
  readonly wantedView?: React.RefObject<View | null>
}

export function GraphCanvas(props: GraphCanvasProps) {
  const { label, scene, selection } = props
  const surface = useRef<HTMLDivElement>(null)
  const region = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  // Keys act on what the mouse has chosen last.
  const onSelect = (ids: readonly string[]) => {
    const [only, ...others] = ids
    if (others.length === 0 && scene.nodes.some(({ id }) => id === only)) setCursor(only ?? null)
    props.onSelect?.(ids)
  }
  const engine = useEngine(surface, { ...props, onSelect })
  const helpId = useId()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const selectOne = useCallback((id: string) => latest.current.onSelect?.([id]), [])
  const selectAll = useCallback(
    () => latest.current.onSelect?.(latest.current.scene.nodes.map(({ id }) => id)),
    [],
  )
  const openOne = useCallback((id: string) => latest.current.onOpen?.(id), [])
  const shown = cursor !== null && scene.nodes.some(({ id }) => id === cursor) ? cursor : null

  useEffect(() => engine?.setCursor(shown), [engine, shown])
  useEffect(
    () => (engine === null ? undefined : registerCanvasShortcuts(engine, selectAll)),
    [engine, selectAll],
  )

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== region.current) return
    const context: KeyContext = {
      scene,
      selection,
      cursor: shown,
      engine,
      events: props,
      setCursor,
    }
    if (canvasKey(event, context)) event.preventDefault()
    else props.onKey?.(event, shown)
  }

  return (
    <div className={styles['frame']}>
      <div
        ref={region}
        className={styles['region']}
        role="application"
        aria-label={label}
        aria-describedby={helpId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application region takes the keyboard.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => {
          if (shown === null) setCursor(selection[0] ?? scene.nodes[0]?.id ?? null)
        }}
        onBlur={() => engine?.setCursor(null)}
        onContextMenu={(event) => event.preventDefault()}
      >
        <div ref={surface} className={styles['surface']} aria-hidden="true" />
      </div>
      {props.minimap === true && <Minimap engine={engine} />}
      <p id={helpId} className={styles['hidden']}>
        Arrow keys move between nodes, square brackets go round the neighbours, Enter opens, Space
        selects, plus and minus zoom, zero fits.
      </p>
      <p className={styles['hidden']} role="status">
        {shown === null ? '' : describeNode(scene, shown)}
      </p>
      <MirrorList
        scene={scene}
        selection={selection}
        label={label}
        onSelect={selectOne}
        onOpen={openOne}
      />
    </div>
  )
}

function Minimap({ engine }: { readonly engine: CanvasEngine | null }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (engine !== null && canvas.current !== null) return engine.minimap(canvas.current)
    return undefined
  }, [engine])
  return (
    <div aria-hidden="true">
      <canvas ref={canvas} hidden className={styles['minimap']} />
    </div>
  )
}

/** Makes the engine when the surface is there, feeds it, and ends it; StrictMode does so twice. */
function useEngine(
  surface: React.RefObject<HTMLDivElement | null>,
  props: GraphCanvasProps,
): CanvasEngine | null {
  const { scene, selection, spotlight = null, connecting = false, hoverDims = false } = props
  const wanted = props.wantedView
  const [engine, setEngine] = useState<CanvasEngine | null>(null)
  const markOf = useTypeMark()
  /** Where nodes were when an engine ended: StrictMode makes a second one. */
  const left = useRef<Positions>(new Map())
  const known = useRef(props.initialPositions)

  useEffect(() => {
    const element = surface.current
    if (element === null) return
    let end = () => {}
    let isGone = false
    // The drawing library is large, so it comes with the first canvas.
    void import('./engine/engine.ts').then(({ CanvasEngine: Engine }) => {
      if (isGone) return
      const made = new Engine(element)
      const stop = watch(made, element)
      setEngine(made)
      end = () => {
        left.current = made.positions()
        stop()
        made.destroy()
        setEngine(null)
      }
    })
    return () => {
      isGone = true
      end()
    }
  }, [surface])

  useEffect(() => {
    known.current = props.initialPositions
    engine?.setEvents(props)
    engine?.setCover(props.coverRef?.current ?? null)
  })
  useEffect(() => {
    const view = wanted?.current
    if (engine !== null && wanted !== undefined && view != null) {
      engine.showView(view)
      wanted.current = null
    }
    const places = new Map([...left.current, ...(known.current ?? [])])
    engine?.setScene(scene, markOf, places)
  }, [engine, scene, markOf, wanted])
  // The scene may bring the very elements that are selected, so it is looked at again with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see the line above.
  useEffect(() => engine?.select(selection), [engine, selection, scene])
  useEffect(() => engine?.spotlight(spotlight), [engine, spotlight])
  useEffect(() => engine?.setConnecting(connecting), [engine, connecting])
  useEffect(() => engine?.setHoverDims(hoverDims), [engine, hoverDims])
  useImperativeHandle(props.handleRef, () => handleOf(engine, surface), [engine, surface])
  return engine
}

/** Keeps the engine in step with its size and the theme, and counts its frames. */
function watch(engine: CanvasEngine, element: HTMLElement): () => void {
  const stopFrames = watchFrames(element, (callback) => engine.onFrame(callback))
  const sizes = new ResizeObserver(() => engine.resize())
  sizes.observe(element)
  const stopTheme = onThemeChange(() => engine.refreshTheme())
  return () => {
    sizes.disconnect()
    stopTheme()
    stopFrames()
  }
}

function handleOf(
  engine: CanvasEngine | null,
  surface: React.RefObject<HTMLDivElement | null>,
): CanvasHandle {
  return {
    fit: (ids) => engine?.fit(ids),
    zoomBy: (factor) => engine?.zoomBy(factor),
    layout: async (name) => {
      await engine?.layout(name).catch((error) => notify(messageOf(error), { status: 'danger' }))
    },
    cancelLayout: () => engine?.cancelLayout(),
    positions: () => engine?.positions() ?? new Map(),
    view: () => engine?.view() ?? null,
    showView: (view) => engine?.showView(view),
    moveTo: (positions) => engine?.moveTo(positions),
    exportPng: () => engine?.exportPng() ?? Promise.reject(new Error('no canvas on screen')),
    exportSvg: () => {
      if (engine === null) throw new Error('no canvas on screen')
      return engine.exportSvg()
    },
    focus: () => surface.current?.parentElement?.focus(),
  }
}
