/**
 * Tabs after the WAI-ARIA pattern: arrows move, Home and End jump, only the chosen panel exists. Those
 * that can be closed are, by their cross, the middle button or the key Delete.
 */
import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from 'react'
import { createPortal } from 'react-dom'
import classes from './tabs.module.css'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: ReactNode
  readonly content: ReactNode
  readonly disabled?: boolean
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Id>[]
  readonly value: Id
  readonly onChange: (id: Id) => void
  /** At the end of the row of tabs. */
  readonly actions?: ReactNode
  /** Where the row is drawn as pills instead of above the panel, such as in the bar of the page. */
  readonly rowPlace?: HTMLElement | null | undefined
  /** `fill` lets the panel take the height that is left. */
  readonly layout?: 'auto' | 'fill'
  /** A closed tab that was the chosen one has to be followed by another `value`. */
  readonly onClose?: ((id: Id) => void) | undefined
}

export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, onClose, actions, rowPlace, layout = 'auto' } = props
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const followed = useRef(value)
  const closes = onClose !== undefined
  const chosen = tabs.find((tab) => tab.id === value)
  useEffect(() => {
    // Where not all tabs fit, the chosen one is in view, also when the address chose it.
    const tab = list.current?.querySelector(`[data-tab="${CSS.escape(value)}"]`)
    if (!(tab instanceof HTMLElement)) return
    bringIntoRow(tab)
    // What was closed has taken the keyboard along.
    const isLost = followed.current !== value && document.activeElement === document.body
    if (closes && isLost) tab.focus()
    followed.current = value
  }, [value, closes])

  useEffect(() => {
    const row = list.current
    const sizes = new ResizeObserver(() => {
      const tab = row?.querySelector('[aria-selected="true"]')
      if (tab) bringIntoRow(tab)
    })
    if (row !== null) sizes.observe(row)
    return () => sizes.disconnect()
  }, [])

  const move = (event: KeyboardEvent<HTMLElement>) => {
    // Of the tab that has the keyboard: the chosen one may still be on its way.
    const at = tabs.find((tab) => tab.id === event.currentTarget.dataset['tab'])
    if (at === undefined) return
    if (event.key === 'Delete') onClose?.(at.id)
    const open = tabs.filter((tab) => tab.disabled !== true)
    const next = open[nextIndex(event.key, open.indexOf(at), open.length)]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }

  const row = (
    <div className={classes.row} data-look={rowPlace ? 'pills' : 'line'}>
      <div ref={list} role="tablist" aria-label={label} className={classes.list}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}-tab-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === value}
            aria-controls={tab.id === value ? `${prefix}-panel` : undefined}
            tabIndex={tab.id === value ? 0 : -1}
            disabled={tab.disabled}
            className={classes.tab}
            onClick={() => onChange(tab.id)}
            onKeyDown={move}
            {...(onClose && closing(tab.id, { onChange, onClose }))}
          >
            {tab.label}
            {closes && <X className={classes.cross} size={14} aria-hidden="true" />}
          </button>
        ))}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  )
  return (
    <div className={classes.tabs} data-layout={layout}>
      {rowPlace ? createPortal(row, rowPlace) : row}
      <div
        role="tabpanel"
        // A panel that scrolls must be reachable by keyboard, also when nothing in it is; an editor is.
        tabIndex={closes ? undefined : 0}
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-tab-${value}`}
        className={classes.panel}
      >
        {chosen?.content}
      </div>
    </div>
  )
}

/** By the mouse; the cross is part of its tab, so that a tab stays one stop of the keyboard. */
function closing<Id extends string>(
  id: Id,
  { onChange, onClose }: { onChange: (id: Id) => void; onClose: (id: Id) => void },
) {
  const isCross = ({ target }: MouseEvent) => target instanceof Element && target.closest('svg')
  return {
    'aria-keyshortcuts': 'Delete',
    onClick: (event: MouseEvent) => (isCross(event) ? onClose(id) : onChange(id)),
    onAuxClick: ({ button }: MouseEvent) => button === 1 && onClose(id),
    onMouseDown: (event: MouseEvent) => {
      // A tab that goes is not to have the keyboard, and the middle button not to scroll.
      if (event.button === 1 || isCross(event)) event.preventDefault()
    },
  }
}

/** Sideways alone: the page is not to be moved to tabs that are further down. */
function bringIntoRow(tab: Element): void {
  const row = tab.parentElement
  if (row === null) return
  const [place, room] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  if (place.left < room.left) row.scrollLeft -= room.left - place.left
  else if (place.right > room.right) row.scrollLeft += place.right - room.right
}

function nextIndex(key: string, index: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count
    case 'ArrowLeft':
      return (index - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}
