/**
 * What a canvas shows, in words that name no drawing library: elements go in, events come out.
 * Scenes are immutable; the canvas finds out by itself what changed since the last one.
 */

export interface Point {
  readonly x: number
  readonly y: number
}

export interface SceneNode {
  /** Unique over nodes and edges. */
  readonly id: string
  /** Chooses colour and icon. */
  readonly typeName: string
  readonly label: string
  /** What a screen reader says instead of the label; the label unless given. */
  readonly description?: string
  /**
   * `dot`: a circle with its label below. `card`: the label inside a rectangle.
   * `remainder`: stands for elements not drawn. `ghost`: was there, is no more. `group`: many as one.
   */
  readonly variant?: 'dot' | 'card' | 'remainder' | 'ghost' | 'group'
  /** A short text at the upper right, such as a degree. */
  readonly badge?: string
  /** Edges in all, where some are not drawn. */
  readonly degree?: number
  readonly mark?: 'new' | 'changed' | 'same'
  /** Diameter in model pixels; 28 unless given. */
  readonly size?: number
  /** Of a ring around it: the name of a custom property of the page. */
  readonly color?: string
  /** The ring is dashed. */
  readonly dashed?: boolean
  /** No layout moves it. */
  readonly pinned?: boolean
}

export interface SceneEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly typeName: string
  readonly label: string
  readonly directed: boolean
  readonly description?: string
  /** `ghost`: was there, is no more. */
  readonly variant?: 'ghost'
  readonly mark?: 'new' | 'changed' | 'same'
  /** Instead of the type's colour: the name of a custom property of the page. */
  readonly color?: string
  readonly dashed?: boolean
  /** In the colour of its type; a neutral line otherwise. */
  readonly tinted?: boolean
  /** 1 unless given. */
  readonly width?: number
}

export interface Scene {
  readonly nodes: readonly SceneNode[]
  readonly edges: readonly SceneEdge[]
}

export type Positions = ReadonlyMap<string, Point>

export const layoutNames = ['force', 'hierarchy', 'concentric', 'radial', 'grid'] as const
export type LayoutName = (typeof layoutNames)[number]

export interface CanvasEvents {
  /** The selection changed by mouse or keyboard; ids of nodes and edges. */
  readonly onSelect?: (ids: readonly string[]) => void
  /** Double click or Enter. */
  readonly onOpen?: (id: string) => void
  /** Enter, where it does something else than a double click. */
  readonly onEnter?: (id: string) => void
  /** Another part is seen, or at another size. */
  readonly onView?: () => void
  /** Right click or the menu key; null: on the background. Client coordinates. */
  readonly onMenu?: (id: string | null, at: Point) => void
  readonly onHover?: (id: string | null) => void
  /** A gesture or a layout moved nodes: where those were and are, for an undo. */
  readonly onMove?: (before: Positions, after: Positions) => void
  /** Every node has its place after the scene changed: where they are, for a page that keeps them. */
  readonly onSettle?: (positions: Positions) => void
  /** An edge was drawn by dragging in connect mode. */
  readonly onConnect?: (source: string, target: string) => void
}

/** The point in the middle of the canvas, and how large things are. */
export interface View extends Point {
  readonly zoom: number
}

/** What a page may ask of a canvas that is on screen. */
export interface CanvasHandle {
  fit(ids?: readonly string[]): void
  zoomBy(factor: number): void
  /**
   * Resolves when nodes have arrived; rejects never: what stops it is told as a toast. A second call
   * cancels the first.
   */
  layout(name: LayoutName): Promise<void>
  cancelLayout(): void
  positions(): Positions
  /** Null: there is no canvas yet. */
  view(): View | null
  /** At once, and once more when the elements that are on their way have come. */
  showView(view: View): void
  moveTo(positions: Positions): void
  /** The whole scene, independent of the viewport, as a PNG. */
  exportPng(): Promise<Blob>
  /** The same as SVG. */
  exportSvg(): string
  focus(): void
}
