/**
 * One registry of everything that can be done: the palette, the `?` sheet, tooltips and the
 * keyboard all read it, so that none of them can disagree.
 *
 * ```tsx
 * useCommand({ id: 'statistics.pause', label: 'Pause', group: 'Statistics', keys: 'space', run })
 * ```
 *
 * Keys are written `mod+k` (Command on a Mac, Control elsewhere), `shift+mod+z`, `space`, `?`, or
 * as a sequence `g s`. Single keys do not fire while a text field has the focus, and nothing of a
 * page does while a dialog is open over it.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface Command {
  readonly id: string
  readonly label: string
  readonly group: string
  readonly keys?: string | undefined
  /** More words to find it by. */
  readonly keywords?: string | undefined
  /** False: there is nothing to do it to; the help sheet alone tells of it. */
  readonly enabled?: boolean
  /** Where the keys work when not everywhere, in words: `on the canvas`. That place hears them. */
  readonly where?: string | undefined
  /** Behind the label, such as the number to report. */
  readonly detail?: string | undefined
  /** Absent: something that only keys can do; it is in the help sheet and not in the palette. */
  readonly run?: (() => void) | undefined
}

const SEQUENCE_MS_MAX = 900

let commands: readonly Command[] = []
const listeners = new Set<() => void>()

function register(command: Command): () => void {
  commands = [...commands.filter((other) => other.id !== command.id), command]
  notify()
  return () => {
    commands = commands.filter((other) => other !== command)
    notify()
  }
}

/** For lists of commands that come from data. Returns their removal. */
export function registerCommands(list: readonly Command[]): () => void {
  const removals = list.map(register)
  return () => {
    for (const remove of removals) remove()
  }
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, () => commands)
}

/** Registers a command while the component is mounted; `run` may change with every render. */
export function useCommand(command: Command): void {
  const latest = useRef(command.run)
  useEffect(() => {
    latest.current = command.run
  })
  const { id, label, group, keys, keywords, where, enabled = true } = command
  useEffect(() => {
    const run = () => latest.current?.()
    return register({ id, label, group, keys, keywords, where, enabled, run })
  }, [id, label, group, keys, keywords, where, enabled])
}

/** The keys of a command that is there, for its button's tooltip. */
export const useKeysOf = (id: string): string | undefined =>
  useCommands().find((command) => command.id === id)?.keys

/** Feeds key presses to the registry; the shell installs it once. Returns its removal. */
export function listenToKeys(target: Window): () => void {
  let prefix = ''
  let prefixAt = 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = keyName(event)
    if (key === '' || isForTheField(event, key)) return
    const sequence = event.timeStamp - prefixAt < SEQUENCE_MS_MAX ? prefix : ''
    const pressed = sequence === '' ? key : `${sequence} ${key}`
    const heard = audible(event)
    const command = heard.find((entry) => entry.keys === pressed)
    prefix = ''
    if (command !== undefined) {
      event.preventDefault()
      command.run?.()
    } else if (heard.some((entry) => entry.keys?.startsWith(`${key} `))) {
      prefix = key
      prefixAt = event.timeStamp
    }
  }
  target.addEventListener('keydown', onKeyDown)
  return () => target.removeEventListener('keydown', onKeyDown)
}

/** Over a page lies a dialog: what belongs to the page is not for these keys. */
function audible(event: KeyboardEvent): readonly Command[] {
  const everywhere = commands.filter(
    ({ where, run, enabled }) => where === undefined && run !== undefined && enabled !== false,
  )
  const dialog = document.querySelector('[role="dialog"]')
  const inDialog = event.target instanceof Node && dialog?.contains(event.target) === true
  return inDialog ? everywhere.filter(({ group }) => group === 'View') : everywhere
}

/** What a text field does with these itself. */
const editingKeys = new Set(['z', 'y', 'a', 'c', 'x', 'v'].map((letter) => `mod+${letter}`))
editingKeys.add('shift+mod+z')

function isForTheField(event: KeyboardEvent, key: string): boolean {
  if (!isTyping(event)) return false
  return !/(mod|alt)\+/.test(key) || editingKeys.has(key)
}

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

export function keyName(event: KeyPress): string {
  const { key } = event
  if (['Shift', 'Control', 'Meta', 'Alt', 'Dead'].includes(key)) return ''
  const base = key === ' ' ? 'space' : key.toLowerCase()
  const mod = event.ctrlKey || event.metaKey
  // A printable character already says what Shift did to it, except beside Mod.
  const shift = event.shiftKey && (mod || key.length > 1)
  return `${shift ? 'shift+' : ''}${event.altKey ? 'alt+' : ''}${mod ? 'mod+' : ''}${base}`
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (document.querySelector('[role="dialog"]')?.contains(target)) return true
  if (target.isContentEditable) return true
  const control = target.closest('input, textarea, select, [role="menu"], [role="listbox"]')
  if (control !== null) return true
  return event.key === ' ' && target.closest('button, a, [role="tab"], [role="switch"]') !== null
}

const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent)
const caps: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  shift: isMac ? '⇧' : 'Shift',
  alt: isMac ? '⌥' : 'Alt',
  enter: 'Enter',
  space: 'Space',
  escape: 'Esc',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrows: 'Arrows',
  delete: 'Del',
}

/** The caps to draw: `shift+mod+z` gives Ctrl, Shift, Z, on a Mac ⇧, ⌘, Z; a sequence in order. */
export function keyCaps(keys: string): readonly string[] {
  // A plus at the end is the key itself.
  return (isMac ? keys : keys.replace('shift+mod', 'mod+shift'))
    .split(/ |\+(?!$)/)
    .map((key) => caps[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}

const groupsEverywhere = ['Recent', 'Go to', 'Graph', 'View', 'Failed']

export interface Lookup extends Command {
  /** The text can mean nothing else, so it stands before all commands. */
  readonly isCertain: boolean
}

let lookup: ((text: string) => readonly Lookup[]) | null = null

/** What the palette offers for a text that need not be a command's. Returns the removal. */
export function setPaletteLookup(find: (text: string) => readonly Lookup[]): () => void {
  lookup = find
  return () => {
    if (lookup === find) lookup = null
  }
}

/** The commands that fit a text, and what else it may mean; behind `>` the commands alone. */
export function paletteCommands(all: readonly Command[], search: string): readonly Command[] {
  if (search.startsWith('>')) return searchCommands(all, search.slice(1))
  const found = searchCommands(all, search)
  const text = search.trim()
  const others = text === '' ? [] : (lookup?.(text) ?? [])
  const isCertain = (other: Lookup) => other.isCertain
  return [...others.filter(isCertain), ...found, ...others.filter((one) => !isCertain(one))]
}

/** What only this page can do stands before what every page can. */
const byGroup = (a: Command, b: Command): number =>
  groupsEverywhere.indexOf(a.group) - groupsEverywhere.indexOf(b.group)

/** Commands that fit all words of the search, best first: a label's beginning before its middle. */
export function searchCommands(all: readonly Command[], search: string): readonly Command[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all.toSorted(byGroup)
  return all
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

function scoreOf(command: Command, words: readonly string[]): number {
  const label = command.label.toLowerCase()
  const text = `${label} ${command.group} ${command.keywords ?? ''}`.toLowerCase()
  if (!words.every((word) => text.includes(word))) return 0
  const first = words[0]!
  if (label.startsWith(first)) return 3
  return label.includes(first) ? 2 : 1
}
