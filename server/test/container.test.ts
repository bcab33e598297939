/**
 * The container recipe against the repository. No engine builds it here; what can go stale is held:
 * files, stages, commands, options, the pinned version, and what the bundled server imports.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { helpText, parseOptions } from '#cli/options.ts'
import { readReadiness } from '#contract/diagnosis.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const recipe = read('docs/container/Containerfile')
const ignored = read('docs/container/Containerfile.dockerignore').trim().split('\n')
const guide = read('docs/container/README.md')
const packageJson = JSON.parse(read('package.json'))
const serverPackage = JSON.parse(read('server/package.json'))

const instructions = recipe
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [name = '', ...rest] = line.split(' ')
    return { name, text: rest.join(' ') }
  })
const all = (name: string) =>
  instructions.filter((one) => one.name === name).map(({ text }) => text)

describe('the container recipe', () => {
  it('takes the version of Node that is pinned', () => {
    expect(all('ARG')).toEqual([`NODE=${packageJson.dependencies.node}`])
    for (const from of all('FROM'))
      expect(from).toMatch(/^node:\$\{NODE\}-bookworm-slim( AS \w+)?$/)
  })

  it('copies files that exist and are not left out, from stages that there are', () => {
    const stages = all('FROM').flatMap((from) => / AS (\w+)$/.exec(from)?.[1] ?? [])
    for (const copy of all('COPY')) {
      const from = /^--from=(\w+) /.exec(copy)?.[1]
      if (from !== undefined) {
        expect(stages, copy).toContain(from)
        continue
      }
      for (const path of copy.split(' ').slice(0, -1)) {
        expect(existsSync(join(root, path)), copy).toBe(true)
        expect(ignored, copy).not.toContain(path.split('/')[0])
      }
    }
  })

  it('copies what the start imports', () => {
    const copied = all('COPY').flatMap((copy) => copy.split(' '))
    const imports = ['quiver.cjs', 'pinned-node.cjs'].flatMap((script) => [
      ...read(`scripts/${script}`).matchAll(/require\('\.\/([^']+)'\)/g),
    ])
    expect(imports.length).toBeGreaterThan(2)
    for (const [, file] of imports) expect(copied).toContain(`scripts/${file}`)
  })

  it('leaves out nothing that the build reads', () => {
    const inputs = /const inputs = \[([^\]]*)\]/.exec(read('scripts/build.mjs'))?.[1] ?? ''
    const paths = [...inputs.matchAll(/'([^']+)'/g)].map((match) => match[1] as string)
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) expect(ignored).not.toContain(path.split('/')[0])
    expect(ignored).toContain('node_modules')
    expect(ignored).toContain('.quiver')
  })

  it('runs scripts that package.json has', () => {
    const scripts = all('RUN').flatMap((run) => /npm run (\S+)/.exec(run)?.[1] ?? [])
    expect(scripts).toEqual(['build'])
    for (const script of scripts) expect(packageJson.scripts[script]).toBeDefined()
    expect(packageJson.workspaces).toContain('server')
  })

  it('starts the server with options that it knows, every command included', () => {
    const [program, script = '', ...options] = JSON.parse(all('ENTRYPOINT')[0] ?? '[]')
    expect([program, `exec node ${script}`]).toEqual(['node', packageJson.scripts.start])
    const [volume] = all('VOLUME')
    const parsed = parseOptions(options, 2 ** 30)
    expect(parsed).toMatchObject({ command: 'serve', host: '0.0.0.0', data: volume })
    expect(all('EXPOSE')).toEqual([String(parsed.port)])
    expect(parseOptions([...options, 'reset-password'], 2 ** 30)).toMatchObject({
      command: 'reset-password',
      data: volume,
    })
  })

  it('asks a health check that the contract has, on the port of the server', () => {
    const [check = ''] = all('HEALTHCHECK')
    const [, port = '', path = ''] = /QUIVER_PORT \|\| (\d+)\) \+ '([^']+)'\)/.exec(check) ?? []
    expect(port).toBe(String(parseOptions([], 2 ** 30).port))
    expect(readReadiness.paths).toContain(path)
    expect(readReadiness.privilege).toBe('PUBLIC')
  })

  it('brings every package that the server imports', () => {
    const packages = new Set(
      ['server/src', 'server/contract'].flatMap(filesBelow).flatMap((file) =>
        [...read(file).matchAll(/^(?:import|export)\b[^'"]*?from '([^'.#][^']*)'/gm)]
          .map((match) => match[1] as string)
          .filter((name) => !name.startsWith('node:'))
          .map((name) =>
            name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/'),
          ),
      ),
    )
    expect(packages.size).toBeGreaterThan(5)
    for (const name of packages) expect(Object.keys(serverPackage.dependencies)).toContain(name)
  })
})

it('is described with options and files that there are', () => {
  const known = [...helpText.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1])
  const commands = guide.split('\n').filter((line) => line.startsWith('    docker'))
  expect(commands.length).toBeGreaterThan(3)
  for (const command of commands) {
    const own = command.split(/ quiver(?: |$)/).at(-1) ?? ''
    for (const [option] of own.matchAll(/--[a-z-]+/g)) expect(known, command).toContain(option)
  }
  expect(guide).toContain('-f docs/container/Containerfile')
  expect(guide).toContain(
    `docker exec quiver ${packageJson.scripts.start.replace('exec ', '')} backup`,
  )
})

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}
