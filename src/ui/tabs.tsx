/** Tabs after the WAI-ARIA pattern: arrows move, Home and End jump, only the chosen panel exists. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
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
  /** `fill` lets the panel take the height that is left. */
  readonly layout?: 'auto' | 'fill'
}

export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, actions, layout = 'auto' } = props
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const chosen = tabs.find((tab) => tab.id === value)
  useEffect(() => {
    // Where not all tabs fit, the chosen one is in view, also when the address chose it.
    const tab = list.current?.querySelector(`[data-tab="${CSS.escape(value)}"]`)
    if (tab != null) bringIntoRow(tab)
  }, [value])

  const move = (event: KeyboardEvent) => {
    const open = tabs.filter((tab) => tab.disabled !== true)
    const next =
      open[
        nextIndex(
          event.key,
          open.findIndex((tab) => tab.id === value),
          open.length,
        )
      ]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }

  return (
    <div className={classes.tabs} data-layout={layout}>
      <div className={classes.row}>
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
            >
              {tab.label}
            </button>
          ))}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      <div
        role="tabpanel"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keyboard, also when nothing in it is.
        tabIndex={0}
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-tab-${value}`}
        className={classes.panel}
      >
        {chosen?.content}
      </div>
    </div>
  )
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
