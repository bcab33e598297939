/**
 * How fluent the canvas is while somebody moves it: frames that were drawn in the last second of a
 * drag or of turns of the wheel. At rest nothing is drawn, so nothing is counted.
 */
import { useSyncExternalStore } from 'react'

const WINDOW_MS = 1_000
/** A pause longer than this between two moves ends the gesture. */
const REST_MS = 700
/** The figure changes no faster than one can read it. */
const READ_MS = 250

let rate: number | null = null
const listeners = new Set<() => void>()

function report(next: number | null): void {
  if (next === rate) return
  rate = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Frames a second; null while nothing is moved. */
export const useFrameRate = (): number | null => useSyncExternalStore(subscribe, () => rate)

/** Counts frames from the first move of a gesture on; times are milliseconds of one clock. */
export class FrameCounter {
  #startMs: number | null = null
  #frames: number[] = []

  move(nowMs: number): void {
    if (this.#startMs !== null) return
    this.#startMs = nowMs
    this.#frames = []
  }

  frame(nowMs: number): void {
    if (this.#startMs !== null) this.#frames.push(nowMs)
  }

  rest(): void {
    this.#startMs = null
  }

  /** Null: no gesture, or it has not gone on for long enough to tell. */
  rateAt(nowMs: number): number | null {
    if (this.#startMs === null || nowMs - this.#startMs < READ_MS) return null
    this.#frames = this.#frames.filter((time) => nowMs - time < WINDOW_MS)
    const spanMs = Math.min(WINDOW_MS, nowMs - this.#startMs)
    return Math.round((this.#frames.length * 1_000) / spanMs)
  }
}

/** Watches gestures over an element; `onFrame` tells of each frame drawn. Returns the end. */
export function watchFrames(
  element: HTMLElement,
  onFrame: (callback: () => void) => void,
): () => void {
  const counter = new FrameCounter()
  let timer: ReturnType<typeof setInterval> | null = null
  let movedMs = 0
  onFrame(() => counter.frame(performance.now()))
  const rest = () => {
    if (timer !== null) clearInterval(timer)
    timer = null
    counter.rest()
    report(null)
  }
  const look = () => {
    const now = performance.now()
    if (now - movedMs > REST_MS) rest()
    else report(counter.rateAt(now))
  }
  const onMove = (event: Event) => {
    if (event instanceof PointerEvent && event.buttons === 0) return
    movedMs = performance.now()
    counter.move(movedMs)
    timer ??= setInterval(look, READ_MS)
  }
  element.addEventListener('wheel', onMove, { passive: true })
  element.addEventListener('pointermove', onMove)
  return () => {
    element.removeEventListener('wheel', onMove)
    element.removeEventListener('pointermove', onMove)
    rest()
  }
}
