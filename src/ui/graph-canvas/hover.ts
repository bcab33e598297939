/**
 * What the pointer rests on stands out: an edge by its own look, a node by dimming what is not
 * beside it. Both at once, without a transition, and only where the scene is small enough that
 * drawing it anew costs no frame worth speaking of.
 */
import type { Core, NodeSingular } from 'cytoscape'

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
  const clear = () => {
    clearTimeout(waiting)
    cy.elements('.faded').removeClass('faded')
  }
  const dimRest = (node: NodeSingular) => {
    if (cy.destroyed() || node.removed() || !detail().dimsRest) return
    const rest = cy.elements().difference(node.closedNeighborhood())
    cy.batch(() => rest.addClass('faded'))
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
