/** Drawing an edge: in connect mode a drag from one node to another reports the pair. */
import type { Core, NodeSingular } from 'cytoscape'

export interface Connecting {
  setEnabled(on: boolean): void
}

const TIP = 'connect-tip'
const LINE = 'connect-line'
/** What the stylesheet reads of every element; their own styles override it. */
const tipLook = { size: 1, color: 'black', ring: '', icon: 'none', label: '' }
const lineColors = { color: 'black', arrow: 'black', full: 'black' }
const lineLook = { ...lineColors, dashes: 'solid', lineWidth: 1, label: '' }
/** A drag shorter than this that ends where it began is a click, not a loop. */
const LOOP_DRAG_PX = 30

export function attachConnecting(
  cy: Core,
  onConnect: (source: string, target: string) => void,
): Connecting {
  let enabled = false
  let source: NodeSingular | null = null
  let target: NodeSingular | null = null
  let farthest = 0

  // Cytoscape restyles every node that a class is taken from, whether it had it or not, and then
  // draws the whole scene anew: here that is for drags of an edge alone.
  const drop = () => {
    if (source === null) return
    source = null
    target = null
    cy.remove(`#${TIP}`)
    cy.nodes('.connect-target').removeClass('connect-target')
  }
  const finish = () => {
    const [from, to] = [source, target]
    drop()
    if (from === null || to === null) return
    if (from.id() === to.id() && farthest < LOOP_DRAG_PX) return
    onConnect(from.id(), to.id())
  }

  cy.on('tapstart', 'node', (event) => {
    if (!enabled) return
    source = event.target
    target = event.target
    farthest = 0
    cy.add({
      group: 'nodes',
      data: { id: TIP, ...tipLook },
      classes: TIP,
      position: { ...event.position },
    })
    cy.add({
      group: 'edges',
      data: { source: event.target.id(), target: TIP, ...lineLook },
      classes: LINE,
    })
  })
  cy.on('tapdrag', (event) => {
    if (source === null) return
    cy.getElementById(TIP).position({ ...event.position })
    const start = source.position()
    farthest = Math.max(
      farthest,
      Math.hypot(event.position.x - start.x, event.position.y - start.y),
    )
  })
  cy.on('tapdragover', 'node', (event) => {
    if (source === null || event.target.id() === TIP) return
    target = event.target
    event.target.addClass('connect-target')
  })
  cy.on('tapdragout', 'node', (event) => {
    if (source === null) return
    if (target?.id() === event.target.id()) target = null
    event.target.removeClass('connect-target')
  })
  cy.on('tapend', finish)

  return {
    setEnabled: (on) => {
      enabled = on
      cy.autoungrabify(on)
      if (!on) drop()
    },
  }
}
