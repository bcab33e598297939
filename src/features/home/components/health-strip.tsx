/** Each component with its state and release, on one line. */
import { useQuery } from '@tanstack/react-query'
import { metricsQuery } from '#api/metrics.ts'
import { versionsQuery } from '#api/versions.ts'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { componentStates } from '../model/component-states.ts'
import classes from './health-strip.module.css'

export function HealthStrip() {
  const versions = useQuery(versionsQuery)
  const metrics = useQuery(metricsQuery)
  if (versions.data === undefined && versions.isError) {
    return (
      <ErrorNotice
        title="The versions could not be read"
        error={versions.error}
        onRetry={versions.refetch}
      />
    )
  }
  const states = componentStates(
    versions.data ?? [],
    metrics.isError ? undefined : metrics.data?.parsed,
  )
  return (
    <ul className={classes.strip} aria-label="Components">
      {states.map((component) => (
        <li
          key={component.name}
          className={classes.component}
          title={`${component.version} ${component.hash}`}
        >
          <span className={classes.name}>{component.name}</span>
          <StatusBadge look="plain" status={component.status}>
            {component.text}
          </StatusBadge>
        </li>
      ))}
    </ul>
  )
}
