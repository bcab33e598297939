/**
 * Elements come onto the canvas a few at a time, so that no number of them holds the page up: a
 * chunk for each frame or, while nothing is to be seen yet, for each turn of the event loop.
 *
 * Nodes come before the edges between them. Up to one chunk is there at once.
 */
import type { Core, ElementDefinition } from 'cytoscape'
import type { Point } from '../scene.ts'

export const CHUNK = 200

/** The part of cytoscape's core that its types leave out. */
interface Notifying {
  notifications(): boolean
  notifications(on: boolean): unknown
  notify(event: string): void
}

interface Start {
  /** Nodes first. */
  readonly elements: readonly ElementDefinition[]
  /** Nothing is drawn before all are there. */
  readonly unseen: boolean
  /** Called once all are there; not when another start comes before. */
  readonly onDone: () => void
}

export class Arrival {
  readonly #cy: Core & Notifying
  #waiting: readonly ElementDefinition[] = []
  #start: Start | null = null
  #cancelNext = () => {}

  constructor(cy: Core) {
    this.#cy = cy as Core & Notifying
  }

  begin(start: Start): void {
    this.cancel()
    this.#start = start
    this.#waiting = start.elements
    if (start.unseen && start.elements.length > CHUNK) this.#cy.notifications(false)
    this.#step()
  }

  /** All that is still to come, at once: for who needs the whole picture now. */
  finish(): void {
    if (this.#start === null) return
    this.#cancelNext()
    this.#add(this.#waiting.length)
  }

  /** Forgets what is still to come. */
  cancel(): void {
    this.#cancelNext()
    this.#waiting = []
    this.#start = null
    if (this.#cy.destroyed() || this.#cy.notifications()) return
    this.#cy.notifications(true)
    // The renderer looks at every element again.
    this.#cy.notify('load')
  }

  /** Where the nodes that are still to come will be. */
  places(): ReadonlyMap<string, Point> {
    return new Map(
      this.#waiting.flatMap(({ data, position }) =>
        position === undefined ? [] : [[String(data.id), position] as const],
      ),
    )
  }

  #step(): void {
    this.#add(CHUNK)
    if (this.#start === null) return
    const next = () => this.#step()
    if (this.#start.unseen) {
      const timer = setTimeout(next)
      this.#cancelNext = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(next)
      this.#cancelNext = () => cancelAnimationFrame(frame)
    }
  }

  #add(count: number): void {
    const chunk = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    this.#cy.batch(() => this.#cy.add([...chunk]))
    if (this.#waiting.length > 0) return
    const onDone = this.#start?.onDone
    this.cancel()
    onDone?.()
  }
}
