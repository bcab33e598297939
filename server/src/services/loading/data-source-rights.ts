/** Who may share a data source with other graphs. */
import type { Principal } from '../auth/access.ts'
import { authorise, requirePrivilege } from '../auth/authorise.ts'
import type { DataSources } from './data-sources.ts'

export interface SourceGrant {
  readonly name: string
  /** Those that get the source; of a grant that is taken back: none. */
  readonly graphs: readonly string[]
}

/**
 * The right counts where the source is at home and on each graph that gets it. Who has it nowhere
 * is not told which sources there are.
 * @throws DbError FORBIDDEN, REQUEST_NOT_FOUND
 */
export function checkGrant(
  caller: Principal,
  sources: DataSources,
  { name, graphs }: SourceGrant,
): void {
  authorise(caller, { privilege: 'WRITE_DATASOURCE', ofSomeGraph: true }, null)
  for (const graph of [sources.homeOf(name), ...graphs]) {
    requirePrivilege(caller, 'WRITE_DATASOURCE', graph)
  }
}
