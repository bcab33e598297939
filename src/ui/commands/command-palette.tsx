/** Everything that can be done right now, found by typing. A combobox over the registry. */
import { Modal } from '@mantine/core'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import classes from './command-palette.module.css'
import { type Command, paletteCommands, useCommands } from './commands.ts'
import { KeyCaps } from './key-caps.tsx'

interface OverlayProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function CommandPalette({ opened, onClose }: OverlayProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose} yOffset="112px" size={640}>
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <Modal.Body p={0}>
          <PaletteBody onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ onClose }: { readonly onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const all = useCommands().filter(
    ({ id, run, enabled }) => id !== 'shell.palette' && run !== undefined && enabled !== false,
  )
  const groups = grouped(paletteCommands(all, search))
  const found = groups.flatMap(({ commands }) => commands)
  const index = Math.min(active, found.length - 1)

  useEffect(() => {
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [index])

  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found.length > 0) {
      event.preventDefault()
      setActive((index + step + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(found[index])
    }
  }

  return (
    <div className={classes.palette}>
      <div className={classes.field}>
        <Search size={16} aria-hidden="true" />
        <input
          className={classes.input}
          role="combobox"
          aria-label="Search commands"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${index}` : undefined}
          aria-autocomplete="list"
          placeholder="Search or jump to"
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        className={classes.list}
        tabIndex={-1}
      >
        {groups.map(({ name, commands, start }) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box has groups of options, no fieldset
          <div key={name} role="group" aria-label={name}>
            <div className={classes.group} aria-hidden="true">
              {name}
            </div>
            {commands.map((command, place) => (
              <PaletteOption
                key={command.id}
                id={`${id}-${start + place}`}
                command={command}
                position={start + place}
                isActive={start + place === index}
                onActive={setActive}
                onRun={run}
              />
            ))}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none} role="status">
          No matches for “{search}”.
        </p>
      )}
      <footer className={classes.foot} aria-hidden="true">
        <KeyCaps keys="arrowup" />
        <KeyCaps keys="arrowdown" /> Move
        <KeyCaps keys="enter" /> Open
        <span className={classes.onlyCommands}>
          <KeyCaps keys=">" /> Commands only
        </span>
      </footer>
    </div>
  )
}

interface PaletteOptionProps {
  readonly id: string
  readonly command: Command
  readonly position: number
  readonly isActive: boolean
  readonly onActive: (position: number) => void
  readonly onRun: (command: Command) => void
}

function PaletteOption(props: PaletteOptionProps) {
  const { id, command, position, isActive, onActive, onRun } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keyboard
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      data-index={position}
      tabIndex={-1}
      className={classes.option}
      onMouseMove={() => onActive(position)}
      onClick={() => onRun(command)}
    >
      <span className={classes.label}>{command.label}</span>
      {command.detail !== undefined && <code>{command.detail}</code>}
      {command.keys !== undefined && <KeyCaps keys={command.keys} />}
    </div>
  )
}

interface PaletteGroup {
  readonly name: string
  readonly commands: readonly Command[]
  /** How many commands stand before it. */
  readonly start: number
}

/** The group of the best command first; within it the best first. */
function grouped(commands: readonly Command[]): readonly PaletteGroup[] {
  const byName = Map.groupBy(commands, ({ group }) => group)
  let start = 0
  return [...byName].map(([name, ofGroup]) => {
    const group = { name, commands: ofGroup, start }
    start += ofGroup.length
    return group
  })
}

/** Of a command: its group, and where in it the keys work when not everywhere. */
const partOf = ({ group, where }: Command): string =>
  where === undefined ? group : `${group}, ${where}`

/** The `?` sheet: every command that has keys, by group. */
export function ShortcutSheet({ opened, onClose }: OverlayProps) {
  const withKeys = useCommands().filter((command) => command.keys !== undefined)
  const parts = [...new Set(withKeys.map(partOf))]
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={640}>
      <div className={classes.sheet}>
        {parts.map((part) => (
          <section key={part} aria-label={part}>
            <h3 className={classes.sheetTitle}>{part}</h3>
            <dl className={classes.sheetList}>
              {withKeys
                .filter((command) => partOf(command) === part)
                .map((command) => (
                  <div key={command.id} className={classes.sheetRow}>
                    <dt>{command.label}</dt>
                    <dd>
                      <KeyCaps keys={command.keys ?? ''} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
