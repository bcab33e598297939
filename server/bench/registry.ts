/** Every contender by name. What it needs beyond the bench itself decides whether it takes part. */
import type { Contender, ContenderContext } from './contender.ts'

export interface ContenderKind {
  readonly title: string
  /** Installed into the work folder on demand; no dependency of the product. */
  readonly package?: string
  /** The option without which it is left out. */
  readonly option?: keyof ContenderContext['paths']
  /** Its code is compiled while it runs: asked some rounds before the first that counts. */
  readonly warmsUp?: boolean
  open(context: ContenderContext): Promise<Contender>
}

const kinds = {
  quiver: {
    title: 'quiver',
    warmsUp: true,
    open: async (context) => (await import('./contenders/quiver.ts')).open(context),
  },
  loop: {
    title: 'hand-written loop',
    warmsUp: true,
    open: async (context) => (await import('./contenders/loop.ts')).open(context),
  },
  gap: {
    title: 'GAP (C++), 1 thread',
    option: 'gap',
    open: async (context) => (await import('./contenders/gap.ts')).open(context, 1),
  },
  gap2: {
    title: 'GAP (C++), 2 threads',
    option: 'gap',
    open: async (context) => (await import('./contenders/gap.ts')).open(context, 2),
  },
  igraph: {
    title: 'igraph (C)',
    option: 'igraph',
    open: async (context) => (await import('./contenders/igraph.ts')).open(context),
  },
  kuzu: {
    title: 'kuzu',
    package: 'kuzu@0.11.3',
    open: async (context) => (await import('./contenders/kuzu.ts')).open(context, 'kuzu'),
  },
  ladybug: {
    title: 'LadybugDB',
    package: '@ladybugdb/core@0.19.1',
    open: async (context) =>
      (await import('./contenders/kuzu.ts')).open(context, '@ladybugdb/core'),
  },
  duckdb: {
    title: 'DuckDB',
    package: '@duckdb/node-api@latest',
    open: async (context) => (await import('./contenders/duckdb.ts')).open(context),
  },
  sqlite: {
    title: 'SQLite',
    open: async (context) => (await import('./contenders/sqlite.ts')).open(context),
  },
  graphology: {
    title: 'graphology',
    package: 'graphology@0.26.0',
    warmsUp: true,
    open: async (context) => (await import('./contenders/graphology.ts')).open(context),
  },
} as const satisfies Record<string, ContenderKind>

export type ContenderName = keyof typeof kinds

export const contenderKinds: Readonly<Record<ContenderName, ContenderKind>> = kinds
export const contenderNames = Object.keys(kinds) as ContenderName[]
