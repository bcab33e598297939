/**
 * Settings from four sources: arguments, the environment (`QUIVER_PORT` for `--port`), a JSON file
 * (`--config`), defaults. An earlier source counts before a later one, and a message about a value
 * names the source that it came from.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { DbError } from '#kernel/errors.ts'
import { nearest } from '#query/syntax/suggest.ts'
import { fileReason } from '#storage/files/reasons.ts'

export interface OptionType {
  readonly type: 'string' | 'boolean'
  /** May be repeated; a list in the file, separated by commas in the environment. */
  readonly multiple?: boolean
  readonly short?: string
  /** A relative path of the file begins at the directory of the file. */
  readonly isPath?: boolean
}

export type OptionTable = Readonly<Record<string, OptionType>>

export type Environment = Readonly<Record<string, string | undefined>>

export interface Settings {
  readonly positionals: readonly string[]
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  flag(name: string): boolean
  /** Of the option as its source calls it: `--port`, `QUIVER_PORT`. */
  source(name: string): string
}

interface Given {
  readonly source: string
  readonly texts: readonly string[]
}

type GivenByName = Map<string, Given>

const PREFIX = 'QUIVER_'
const CONFIG = 'config'
/** Read by the environment alone: other users of the machine see arguments. */
const PASSWORD = 'QUIVER_PASSWORD'

/** @throws DbError INVALID_PARAMETER naming what is unknown or cannot be read */
export function readSettings(
  args: readonly string[],
  environment: Environment,
  table: OptionTable,
): Settings {
  const { given, positionals } = fromArguments(args, table)
  checkNpm(environment, table, positionals)
  const own = fromEnvironment(environment, table)
  const config = given.get(CONFIG) ?? own.get(CONFIG)
  const file: GivenByName = config === undefined ? new Map() : fromFile(config, table)
  const merged = new Map([...file, ...own, ...given])
  return {
    positionals,
    text: (name) => merged.get(name)?.texts.at(-1),
    texts: (name) => merged.get(name)?.texts ?? [],
    flag: (name) => merged.has(name),
    source: (name) => merged.get(name)?.source ?? `--${name}`,
  }
}

function fromArguments(args: readonly string[], table: OptionTable) {
  // Not strict: its messages are those of Node, and know no similar names.
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: parsable(table),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const given: GivenByName = new Map()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name } = token
    const option = Object.hasOwn(table, name) ? table[name] : undefined
    if (option === undefined) throw unknownOption(name, token.rawName, table)
    const before = option.multiple ? (given.get(name)?.texts ?? []) : []
    given.set(name, { source: `--${name}`, texts: [...before, ...argumentOf(token, option)] })
  }
  return { given, positionals }
}

interface OptionToken {
  readonly name: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** None of a flag. */
function argumentOf({ name, value, inlineValue }: OptionToken, { type }: OptionType): string[] {
  if (type === 'boolean') {
    if (value === undefined) return []
    throw invalid(`--${name} takes no value; see --help`)
  }
  const isOption = inlineValue === false && /^-./.test(value ?? '')
  if (value !== undefined && !isOption) return [value]
  throw invalid(`--${name} needs a value; see --help`)
}

function parsable(table: OptionTable) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type, multiple = false, short }]) => [
      name,
      { type, multiple, ...(short !== undefined && { short }) },
    ]),
  )
}

function unknownOption(name: string, rawName: string, table: OptionTable): DbError {
  if (name === 'password') {
    return invalid(
      `${rawName} is not an option, since other users of the machine see arguments: the first password comes from ${PASSWORD} or --password-file`,
    )
  }
  const names = Object.keys(table)
  const similar = names.find((known) => known.startsWith(name)) ?? nearest(name, names)
  const hint = similar ? `did you mean --${similar}?` : 'see --help'
  return invalid(`unknown option ${rawName}; ${hint}`)
}

function fromEnvironment(environment: Environment, table: OptionTable): GivenByName {
  const known = new Map(
    Object.keys(table)
      .filter((name) => table[name]?.type === 'string')
      .map((name) => [variableOf(name), name]),
  )
  const given: GivenByName = new Map()
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || text === undefined) continue
    const name = known.get(variable)
    if (name === undefined) checkVariable(variable, known.keys())
    else if (text !== '' && !isServiceLink(name, text)) {
      const texts = table[name]?.multiple ? text.split(',').map((part) => part.trim()) : [text]
      given.set(name, { source: variable, texts: texts.filter((part) => part !== '') })
    }
  }
  return given
}

/** The variable of an option. */
export function variableOf(name: string): string {
  return PREFIX + name.toUpperCase().replaceAll('-', '_')
}

/** Other programs use the prefix, too: only what looks like a slip is refused. */
function checkVariable(variable: string, known: Iterable<string>): void {
  if (variable === PASSWORD) return
  const names = [...known, PASSWORD].map((name) => name.slice(PREFIX.length))
  const similar = nearest(variable.slice(PREFIX.length), names, 2)
  if (similar === null) return
  throw invalid(`unknown environment variable ${variable}; did you mean ${PREFIX}${similar}?`)
}

/** Kubernetes sets QUIVER_PORT=tcp://10.0.0.1:14240 beside a service with the name `quiver`. */
function isServiceLink(name: string, text: string): boolean {
  return name === 'port' && /^(tcp|udp|sctp):\/\//.test(text)
}

/** `npm start --port 1` gives the option to npm, which passes it on as a variable of its own. */
function checkNpm(
  environment: Environment,
  table: OptionTable,
  positionals: readonly string[],
): void {
  if (environment['npm_lifecycle_event'] !== 'start') return
  if (environment['npm_package_name'] !== 'quiver') return
  for (const [name, { type }] of Object.entries(table)) {
    const value = environment[`npm_config_${name.replaceAll('-', '_')}`]
    if (type !== 'string' || value === undefined) continue
    // Newer versions of npm take an option without its value, which then comes as a word.
    const word = value === '' || value === 'true' ? positionals[0] : value
    const given = word === undefined ? '' : ` ${word}`
    throw invalid(
      `npm took --${name} for itself; options follow --: npm start -- --${name}${given}`,
    )
  }
}

function fromFile({ source, texts }: Given, table: OptionTable): GivenByName {
  const path = texts.at(-1) as string
  const given: GivenByName = new Map()
  for (const [name, value] of Object.entries(readObject(source, path))) {
    const option = Object.hasOwn(table, name) && name !== CONFIG ? table[name] : undefined
    if (option?.type !== 'string') throw unknownKey(name, path, table)
    const where = `"${name}" in ${path}`
    const found = textsOf(value, option, where)
    const begin = dirname(resolve(path))
    given.set(name, {
      source: where,
      texts: option.isPath ? found.map((text) => resolve(begin, text)) : found,
    })
  }
  return given
}

function readObject(source: string, path: string): object {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw invalid(`${source}: ${path} ${fileReason(cause, 'read')}`, cause)
  }
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw invalid(`${source}: ${path} is not JSON: ${reason}`, cause)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalid(`${source}: ${path} must hold an object, like {"port": 14240}`)
}

function unknownKey(name: string, path: string, table: OptionTable): DbError {
  if (name === 'password') {
    const text = `"password" in ${path}: the first password has a file of its own ("password-file")`
    return invalid(text)
  }
  const names = Object.keys(table).filter((key) => table[key]?.type === 'string' && key !== CONFIG)
  const similar = nearest(name.replace(/^-+/, '').replaceAll('_', '-'), names)
  return invalid(`unknown key "${name}" in ${path}${similar ? `; did you mean "${similar}"?` : ''}`)
}

function textsOf(value: unknown, { multiple = false }: OptionType, where: string): string[] {
  const values = multiple && Array.isArray(value) ? value : [value]
  return values.map((one: unknown) => {
    if (typeof one === 'string' && one !== '') return one
    if (typeof one === 'number') return String(one)
    throw invalid(`${where} must be a text or a number${multiple ? ', or a list of these' : ''}`)
  })
}

function invalid(message: string, cause?: unknown): DbError {
  return new DbError('INVALID_PARAMETER', message, cause === undefined ? {} : { cause })
}
