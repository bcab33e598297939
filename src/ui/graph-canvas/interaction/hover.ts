/**
 * What the pointer rests on stands out: an edge by its own look, a node by dimming what is not
 * beside it. Both at once, without a transition, and only where the scene is small enough that
 * drawing it anew costs no frame worth speaking of.
 */
import type { CollectionReturnValue, Core, NodeSingular } from 'cytoscape'

/** A pointer that only crosses a node dims nothing. */
const DWELL_MS = 120

export interface HoverDetail {
  /** Edges under the pointer look as the others. */
  readonly quietEdges: boolean
  /** All but the node under the pointer and its neighbours is dimmed. */
  readonly dimsRest: boolean
}

/** Returns what brings everything back, for a scene that changes under the pointer. */
export function attachHover(cy: Core, detail: () => HoverDetail): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined
  // Kept, for to look for them among all would take most of a frame each time the view moves.
  let faded: CollectionReturnValue | null = null
  const clear = () => {
    clearTimeout(waiting)
    if (faded === null) return
    const all = faded
    faded = null
    cy.batch(() => all.removeClass('faded'))
    restyleHalf(all)
  }
  const dimRest = (node: NodeSingular) => {
    if (cy.destroyed() || node.removed() || !detail().dimsRest) return
    const rest = cy.elements().difference(node.closedNeighborhood())
    faded = rest
    cy.batch(() => rest.addClass('faded'))
    restyleHalf(rest)
  }
  cy.on('mouseover', 'edge', ({ target }) => !detail().quietEdges && target.addClass('hovered'))
  cy.on('mouseout', 'edge.hovered', ({ target }) => target.removeClass('hovered'))
  cy.on('mouseover', 'node', ({ target }) => {
    clear()
    waiting = setTimeout(() => dimRest(target), DWELL_MS)
  })
  cy.on('mouseout', 'node', clear)
  cy.on('grab boxstart viewport', clear)
  cy.on('destroy', () => clearTimeout(waiting))
  return clear
}

/** The next frame restyles what is left, and draws: of two tasks neither is long. */
function restyleHalf(elements: CollectionReturnValue): void {
  for (const element of elements.slice(0, elements.length / 2)) element.numericStyle('opacity')
}
