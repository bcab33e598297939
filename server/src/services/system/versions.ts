/** Component versions, in the shapes of docs/reference/rest.md. */

/** Which build this is. */
export interface BuildInfo {
  readonly version: string
  /** 40 hexadecimal digits. */
  readonly gitHash: string
  /** When it was built. */
  readonly builtAtMs: number
}

/**
 * The release of the interface this server speaks: clients choose their paths by it (docs/reference/rest.md,
 * handshake), so it is not our own version.
 */
export const INTERFACE_RELEASE = '4.2.0'

export interface ComponentVersion {
  readonly name: string
  readonly version: string
  readonly hash: string
  readonly datetime: string
}

/** The storage engine, the processing engine, and the three faces of the REST layer. */
const components = ['product', 'gse', 'gpe', 'restpp', 'gsql', 'ifm']

export function componentVersions(build: BuildInfo): ComponentVersion[] {
  const [date = '', clock = ''] = new Date(build.builtAtMs).toISOString().split('T')
  const [year, month, day] = date.split('-')
  const version = `release_${INTERFACE_RELEASE}_${month}-${day}-${year}`
  const datetime = `${date} ${clock.slice(0, 8)} +0000`
  return components.map((name) => ({ name, version, hash: build.gitHash, datetime }))
}

/**
 * The text that clients take apart by line: three lines of heading, then six blank-separated tokens
 * per component; the last line is empty.
 */
export function restppVersionText(build: BuildInfo): string {
  const rows = componentVersions(build).map(
    ({ name, version, hash, datetime }) => `${name.padEnd(20)} ${version} ${hash}  ${datetime}`,
  )
  return [
    'TigerGraph RESTPP:',
    ' --- Version ---',
    `TigerGraph version: ${INTERFACE_RELEASE}`,
    ...rows,
    '',
  ].join('\n')
}

export function gsqlVersionText(build: BuildInfo, verbose: boolean): string {
  const first = `GSQL version: ${INTERFACE_RELEASE}\n`
  if (!verbose) return first
  const date = new Date(build.builtAtMs).toISOString().slice(0, 10)
  return `${first}GSQL commit number: ${build.gitHash}\nGSQL commit date: ${date}\nQuiver ${build.version}, Apache License 2.0\n`
}
