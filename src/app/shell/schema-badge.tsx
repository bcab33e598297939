/**
 * When another client has changed the schema, by the version of the server's latest answer, the badge
 * says so and reads the new one; drafts are rebased by the designer.
 */
import { Button, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { schemaKeys } from '#api/graph-schema.ts'
import { graphsKey } from '#api/graphs.ts'
import { requestLog } from '#api/request-log.ts'
import { schemaVersions } from '#api/schema-version.ts'
import classes from './top-bar.module.css'

export function SchemaBadge({ graph }: { readonly graph: string }) {
  const version = useSyncExternalStore(schemaVersions.subscribe, () => schemaVersions.of(graph))
  const [seen, setSeen] = useState(version)
  const client = useQueryClient()
  const here = isOwnChange()
  useEffect(() => {
    if (seen === undefined || here) setSeen(version)
  }, [version, seen, here])
  if (version === undefined || graph === '' || seen === undefined || seen === version || here) {
    return null
  }
  const reload = () => {
    setSeen(version)
    void client.invalidateQueries({ queryKey: schemaKeys.all })
    void client.invalidateQueries({ queryKey: graphsKey })
  }
  return (
    <Tooltip label={`Changed elsewhere since v${seen}: read the schema again`}>
      <Button
        size="compact-xs"
        variant="light"
        className={classes.drift ?? ''}
        onClick={reload}
        aria-live="polite"
        aria-label={`schema v${version}: reload`}
      >
        <span className={classes.driftWord}>schema </span>v{version}
        <span className={classes.driftWord}>: reload</span>
        <RotateCw size={11} aria-hidden="true" />
      </Button>
    </Tooltip>
  )
}

const OWN_CHANGE_MS = 15_000
const changing = /^\/(gsql\/v1\/(schema|statements|udt)|gsqlserver|quiver\/v1\/sample)/

/** This tab changed a schema a moment ago: its pages know. */
function isOwnChange(): boolean {
  const after = Date.now() - OWN_CHANGE_MS
  return requestLog
    .entries()
    .some(
      ({ method, url, startedAt }) => method !== 'GET' && startedAt > after && changing.test(url),
    )
}
