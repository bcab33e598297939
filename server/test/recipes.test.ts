/**
 * The recipes of docs/container for several instances against the repository: they parse, and name
 * options, ports, endpoints, secrets and files that there are. No engine runs them here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { helpText, optionNames, parseOptions } from '#cli/options.ts'
import { ping, readReadiness } from '#contract/diagnosis.ts'

const folder = fileURLToPath(new URL('../../docs/container/', import.meta.url))
const read = (path: string) => readFileSync(folder + path, 'utf8')
const PORT = String(parseOptions([], 2 ** 30).port)
const MEMORY = 64 * 2 ** 30

// biome-ignore lint/suspicious/noExplicitAny: files of many shapes.
type Tree = any

/** What `store.sql` makes: role and database have one name, the schema is the default one. */
const storeSql = read('store.sql')
const [, storeName = ''] = /^\\set name (\w+)$/m.exec(storeSql) ?? []

/** The variables of instances, as options. */
function expectOptions(environment: Readonly<Record<string, string>>): void {
  const names = Object.keys(environment).filter((name) => name.startsWith('QUIVER_'))
  expect(names.length).toBeGreaterThan(2)
  const options = names.map((name) => name.slice(7).toLowerCase().replaceAll('_', '-'))
  expect(options.filter((option) => !optionNames.includes(option))).toEqual([])
}

describe('store.sql', () => {
  it('makes a role without rights of the whole server, and takes away those of everybody', () => {
    for (const right of ['NOSUPERUSER', 'NOCREATEDB', 'NOCREATEROLE', 'NOREPLICATION'])
      expect(storeSql).toContain(right)
    expect(storeSql).toContain("SET password_encryption = 'scram-sha-256'")
    expect(storeSql).toMatch(/REVOKE ALL ON DATABASE \S+ FROM PUBLIC/)
    expect(storeSql).toContain('REVOKE ALL ON SCHEMA public FROM PUBLIC')
    expect(storeName).toBe('quiver')
    // The only right that is given by name.
    expect(storeSql.match(/^GRANT .*$/gm)).toEqual([
      'GRANT CONNECT ON DATABASE :"name" TO :"name";',
    ])
  })
})

describe('compose.yaml', () => {
  const text = read('compose.yaml')
  const recipe: Tree = parse(text, { merge: true })
  const instances: readonly [string, Tree][] = Object.entries(recipe.services).filter(([name]) =>
    name.startsWith('quiver'),
  )

  it('says that it is not for fail-over', () => {
    expect(text.slice(0, 600)).toContain('NOT for fail-over')
  })

  it('has two instances with names, addresses and directories of their own', () => {
    expect(instances.map(([name]) => name)).toEqual(['quiver-1', 'quiver-2'])
    for (const [name, service] of instances) {
      expect(service.environment).toMatchObject({
        QUIVER_NAME: name,
        QUIVER_ADVERTISE: `http://${name}:${PORT}`,
      })
      expect(service.volumes).toEqual([`${name}:/data`])
      expect(service.ports).toHaveLength(1)
      expect(service.ports[0]).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+:${PORT}$`))
      expect(service.image).toBe('quiver')
    }
    expect(new Set(instances.map(([, { ports }]) => ports[0])).size).toBe(2)
  })

  it('names secrets, volumes, networks and configs that it declares, and files that there are', () => {
    for (const [name, service] of Object.entries<Tree>(recipe.services)) {
      for (const secret of service.secrets) expect(recipe.secrets, name).toHaveProperty(secret)
      for (const network of service.networks) expect(recipe.networks, name).toHaveProperty(network)
      for (const { source } of service.configs ?? []) expect(recipe.configs).toHaveProperty(source)
      for (const volume of service.volumes as string[]) {
        const [from = ''] = volume.split(':')
        if (from.startsWith('./')) expect(existsSync(folder + from), volume).toBe(true)
        else expect(recipe.volumes, name).toHaveProperty(from)
      }
    }
    for (const [, { build }] of instances)
      expect(existsSync(`${folder}${build.context}/${build.dockerfile}`)).toBe(true)
    for (const { file } of Object.values<Tree>(recipe.secrets))
      expect(text).toContain(`    ${file}`)
  })

  it('takes PostgreSQL in the version that was run, and the store of store.sql', () => {
    expect(recipe.services.postgres.image).toMatch(/^postgres:15-/)
    const url = new URL(/postgres:\/\/\S+/.exec(text.replaceAll(/<[^>]*>/g, 'password'))?.[0] ?? '')
    expect(url).toMatchObject({ username: storeName, hostname: 'postgres' })
    expect(url.pathname).toBe(`/${storeName}`)
    expect(recipe.configs['make-store'].content).toContain('-f /etc/quiver/store.sql')
    expect(recipe.services.postgres.volumes[1]).toMatch(/:\/etc\/quiver\/store\.sql:ro$/)
  })

  it('gives options that there are', () => {
    for (const [, { environment }] of instances) expectOptions(environment)
  })
})

describe('kubernetes.yaml', () => {
  const text = read('kubernetes.yaml')
  const documents = parseAllDocuments(text)
  const objects: readonly Tree[] = documents.map((document) => document.toJS())
  const only = (kind: string, name?: string): Tree => {
    const found = objects.filter(
      (one) => one.kind === kind && (name ?? one.metadata.name) === one.metadata.name,
    )
    expect(found, `${kind} ${name ?? ''}`).toHaveLength(1)
    return found[0]
  }
  const set = only('StatefulSet')
  const pod = set.spec.template
  const [container] = pod.spec.containers
  const cluster = only('Cluster')

  it('parses, and holds what it says', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Cluster',
      'Service',
      'Service',
      'PodDisruptionBudget',
      'StatefulSet',
    ])
  })

  it('acknowledges a commit on two of three nodes', () => {
    expect(cluster.spec).toMatchObject({
      instances: 3,
      postgresql: { synchronous: { method: 'any', number: 1, dataDurability: 'required' } },
      bootstrap: { initdb: { database: storeName, owner: storeName } },
    })
    expect(cluster.spec.imageName).toMatch(/:15$/)
  })

  it('runs three instances, of which one may be away', () => {
    expect(set.spec.replicas).toBe(3)
    expect(only('PodDisruptionBudget').spec.maxUnavailable).toBe(1)
    for (const selector of [
      set.spec.selector.matchLabels,
      only('PodDisruptionBudget').spec.selector.matchLabels,
      only('Service', 'quiver').spec.selector,
      only('Service', set.spec.serviceName).spec.selector,
    ])
      expect(selector).toEqual(pod.metadata.labels)
  })

  it('agrees on ports, and on the names by which instances reach each other', () => {
    const [port] = container.ports
    expect(String(port.containerPort)).toBe(PORT)
    for (const name of ['quiver', set.spec.serviceName])
      expect(only('Service', name).spec.ports).toEqual([
        { name: port.name, port: Number(PORT), targetPort: port.name },
      ])
    expect(only('Service', set.spec.serviceName).spec.clusterIP).toBe('None')
    expect(container.args).toContain(
      `--advertise=http://$(POD_NAME).${set.spec.serviceName}:${PORT}`,
    )
  })

  it('asks probes that the contract has and that need no credentials', () => {
    const probes = {
      readinessProbe: readReadiness,
      startupProbe: readReadiness,
      livenessProbe: ping,
    }
    for (const [name, endpoint] of Object.entries(probes)) {
      const { path, port } = container[name].httpGet
      expect(endpoint.paths, name).toContain(path)
      expect(endpoint.privilege).toBe('PUBLIC')
      expect(port).toBe(container.ports[0].name)
    }
  })

  it('mounts volumes that it has, as the user of the image, with a root that nothing writes to', () => {
    const volumes = [
      ...pod.spec.volumes.map(({ name }: Tree) => name),
      ...set.spec.volumeClaimTemplates.map(({ metadata }: Tree) => metadata.name),
    ]
    const mounted = container.volumeMounts.map(({ name }: Tree) => name)
    expect(mounted.toSorted()).toEqual(volumes.toSorted())
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
    expect(container.image).toBe('quiver')
  })

  it('takes password and authority from the secrets of the operator, and the first password from one that it tells to make', () => {
    const database = cluster.metadata.name
    const password = container.env.find(({ name }: Tree) => name === 'PGPASSWORD')
    expect(password.valueFrom.secretKeyRef).toEqual({ name: `${database}-app`, key: 'password' })
    const secrets = pod.spec.volumes.flatMap(({ secret }: Tree) => secret?.secretName ?? [])
    expect(secrets).toEqual([`${database}-ca`, 'quiver-first-password'])
    expect(text).toContain(`create secret generic ${secrets[1]}`)
    const url = new URL(container.args[0].replace('--store=', ''))
    expect(url).toMatchObject({ username: storeName, password: '', hostname: `${database}-rw` })
    expect(url.searchParams.get('sslmode')).toBe('verify-full')
    expect(mountOf(url.searchParams.get('sslrootcert'))).toBe('database-ca')
  })

  const mountOf = (path: string | null) =>
    container.volumeMounts.find(({ mountPath }: Tree) => path?.startsWith(`${mountPath}/`))?.name

  it('starts with options that there are', () => {
    const args = container.args.map((arg: string) => arg.replaceAll('$(POD_NAME)', 'quiver-0'))
    const parsed: Tree = parseOptions(args, MEMORY)
    expect(parsed).toMatchObject({ command: 'serve', allowedHosts: ['quiver'] })
    expect(mountOf(parsed.passwordFile)).toBe('first-password')
    const limit = Number(/^(\d+)Gi$/.exec(container.resources.limits.memory)?.[1]) * 2 ** 30
    expect(parsed.memoryLimitBytes).toBeLessThan(limit)
  })
})

describe('patroni', () => {
  const text = read('patroni/patroni.yml')
  const recipe: Tree = parse(text)
  const node = variablesOf('patroni/node.env')
  const etcd = variablesOf('patroni/etcd.env')
  const { dcs } = recipe.bootstrap

  it('speaks etcd by its second version, which the members offer', () => {
    expect(Object.keys(recipe).filter((key) => key.startsWith('etcd'))).toEqual(['etcd'])
    expect(etcd['ETCD_ENABLE_V2']).toBe('true')
    const members = (etcd['ETCD_INITIAL_CLUSTER'] ?? '').split(',').map((one) => one.split('=')[0])
    expect(recipe.etcd.hosts).toBe(members.map((name) => `${name}:2379`).join(','))
    expect(members).toHaveLength(3)
    expect(members).toContain(node['PATRONI_NAME'])
    expect(etcd['ETCD_NAME']).toBe(node['PATRONI_NAME'])
  })

  it('acknowledges nothing on one machine', () => {
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
    expect(dcs.postgresql.parameters.synchronous_commit).toBe('on')
    expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
  })

  it('lets nobody in from elsewhere without TLS and SCRAM', () => {
    expect(recipe.postgresql.parameters).toMatchObject({
      ssl: 'on',
      password_encryption: 'scram-sha-256',
    })
    for (const line of recipe.postgresql.pg_hba)
      expect(line).toMatch(/^(local all postgres peer|hostssl \S+ \S+ all scram-sha-256)$/)
    expect(recipe.postgresql.pg_hba).toContain(
      `hostssl ${storeName} ${storeName} all scram-sha-256`,
    )
    for (const role of ['REPLICATION', 'REWIND'])
      expect(node[`PATRONI_${role}_SSLMODE`]).toBe('verify-full')
  })

  it('gives a password to every role that it names', () => {
    for (const role of Object.keys(recipe.postgresql.authentication))
      expect(node).toHaveProperty(`PATRONI_${role.toUpperCase()}_PASSWORD`)
  })
})

describe('docs/operations/cluster.md', () => {
  const page = readFileSync(new URL('../../docs/operations/cluster.md', import.meta.url), 'utf8')

  it('names options that there are', () => {
    const own = [...page.matchAll(/^(?:\| `|.*quiver .*?)(--[a-z-]+)/gm)].map(([, name]) => name)
    expect(own.length).toBeGreaterThan(6)
    const known = [...helpText.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name)
    expect(own.filter((name) => !known.includes(name))).toEqual([])
  })
})

function variablesOf(path: string): Readonly<Record<string, string>> {
  const lines = read(path).split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  )
}
