/** What one user may do, summed up over the roles: asked on every request, so made once. */
import { type GrantedPrivilege, privileges } from '#contract/privileges.ts'

/** Of one scope: a graph, or everything. */
interface ScopeRights {
  readonly whole: Set<GrantedPrivilege>
  /** By the name of a vertex or edge type. */
  readonly types: Map<string, Set<GrantedPrivilege>>
}

/** What looks and changes nothing. */
const looking: ReadonlySet<GrantedPrivilege> = new Set(
  Object.values(privileges)
    .flat()
    .filter((name) => /^READ_|^EXECUTE_QUERY$|^USE_FUNCTION$|^APP_ACCESS_DATA$/.test(name)),
)

export class Rights {
  /** May do everything. */
  readonly isSuperUser: boolean
  readonly #everywhere: ScopeRights = emptyScope()
  readonly #graphs = new Map<string, ScopeRights>()
  /** Names of roles, by the graph they are held on; null: everywhere. */
  readonly #roles = new Map<string | null, Set<string>>()

  constructor(isSuperUser: boolean) {
    this.isSuperUser = isSuperUser
  }

  /** @param graph null: everywhere. @param type null: the whole scope */
  add(privilege: GrantedPrivilege, graph: string | null, type: string | null): void {
    const scope = graph === null ? this.#everywhere : this.#scopeOf(graph)
    if (type === null) scope.whole.add(privilege)
    else scope.types.set(type, (scope.types.get(type) ?? new Set()).add(privilege))
  }

  /** @param graph where the role is held; null: everywhere */
  hold(role: string, graph: string | null): void {
    this.#roles.set(graph, (this.#roles.get(graph) ?? new Set()).add(role))
  }

  /** Names of the roles that count on a graph, ascending. */
  rolesOn(graph: string): readonly string[] {
    const held = [null, graph].flatMap((scope) => [...(this.#roles.get(scope) ?? [])])
    return [...new Set(held)].sort()
  }

  /** Whether any privilege is granted anywhere, or any role is held. */
  get hasAny(): boolean {
    const grants = ({ whole, types }: ScopeRights) => whole.size > 0 || types.size > 0
    if (this.isSuperUser || this.#roles.size > 0 || grants(this.#everywhere)) return true
    return [...this.#graphs.values()].some(grants)
  }

  #lookOnly: Rights | null = null

  /** These rights without those to change anything. */
  toLookOnly(): Rights {
    this.#lookOnly ??= this.#withoutChanges()
    return this.#lookOnly
  }

  #withoutChanges(): Rights {
    const rights = new Rights(false)
    for (const [graph, names] of this.#roles) rights.#roles.set(graph, names)
    if (this.isSuperUser) for (const privilege of looking) rights.add(privilege, null, null)
    for (const [graph, { whole, types }] of [[null, this.#everywhere] as const, ...this.#graphs]) {
      const scopes = [[null, whole] as const, ...types]
      for (const [type, granted] of scopes) {
        for (const privilege of granted)
          if (looking.has(privilege)) rights.add(privilege, graph, type)
      }
    }
    return rights
  }

  #scopeOf(graph: string): ScopeRights {
    const known = this.#graphs.get(graph) ?? emptyScope()
    this.#graphs.set(graph, known)
    return known
  }

  /** On all of a graph, or with null on everything. */
  allows(privilege: GrantedPrivilege, graph: string | null): boolean {
    if (this.isSuperUser || this.#everywhere.whole.has(privilege)) return true
    return graph !== null && this.#graphs.get(graph)?.whole.has(privilege) === true
  }

  /** Whether there is any right on the graph: others are not told that it exists. */
  reaches(graph: string): boolean {
    const hasAny = (scope: ScopeRights | undefined) =>
      scope !== undefined && (scope.whole.size > 0 || scope.types.size > 0)
    return this.isSuperUser || hasAny(this.#everywhere) || hasAny(this.#graphs.get(graph))
  }

  allowsType(privilege: GrantedPrivilege, graph: string, type: string): boolean {
    if (this.allows(privilege, graph)) return true
    return [this.#everywhere, this.#graphs.get(graph)].some((scope) =>
      scope?.types.get(type)?.has(privilege),
    )
  }

  /** On all of at least one graph. */
  allowsOnSomeGraph(privilege: GrantedPrivilege): boolean {
    if (this.allows(privilege, null)) return true
    return [...this.#graphs.values()].some(({ whole }) => whole.has(privilege))
  }

  /** Types of a graph on which alone the privilege stands. */
  typesWith(privilege: GrantedPrivilege, graph: string | null): string[] {
    const scopes = [this.#everywhere, graph === null ? undefined : this.#graphs.get(graph)]
    const names = scopes.flatMap((scope) =>
      [...(scope?.types ?? [])].flatMap(([type, granted]) => (granted.has(privilege) ? type : [])),
    )
    return [...new Set(names)].sort()
  }

  /** Whether these rights reach at least as far as others do. */
  covers(other: Rights): boolean {
    if (this.isSuperUser || other.isSuperUser) return this.isSuperUser
    return [[null, other.#everywhere] as const, ...other.#graphs].every(([graph, scope]) =>
      this.#coversScope(graph, scope),
    )
  }

  #coversScope(graph: string | null, { whole, types }: ScopeRights): boolean {
    const hasOnType = (privilege: GrantedPrivilege, type: string) =>
      graph === null
        ? this.allows(privilege, null) || this.#everywhere.types.get(type)?.has(privilege) === true
        : this.allowsType(privilege, graph, type)
    return (
      [...whole].every((privilege) => this.allows(privilege, graph)) &&
      [...types].every(([type, granted]) =>
        [...granted].every((privilege) => hasOnType(privilege, type)),
      )
    )
  }

  /** Whether any type of the graph has it, or the whole graph. */
  allowsSomeType(privilege: GrantedPrivilege, graph: string | null): boolean {
    return this.allows(privilege, graph) || this.typesWith(privilege, graph).length > 0
  }
}

function emptyScope(): ScopeRights {
  return { whole: new Set(), types: new Map() }
}
