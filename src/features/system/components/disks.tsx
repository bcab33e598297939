import { formatBytes, formatPercent } from '#lib/format.ts'
import { StatusBadge } from '#ui/feedback/status-badge.tsx'
import { type DiskUse, MEGABYTE } from '../model/machine.ts'
import classes from './disks.module.css'

export function Disks({ uses }: { readonly uses: readonly DiskUse[] }) {
  if (uses.length === 0) return <p className={classes.none}>The server reports no disk.</p>
  return (
    <ul className={classes.disks}>
      {uses.map((use) => (
        <li key={use.name} className={classes.disk}>
          <div className={classes.head}>
            <span className={classes.name}>{use.name}</span>
            <code className={classes.path} title={use.path}>
              {use.path}
            </code>
            <StatusBadge look="plain" status={use.status}>
              {formatPercent(use.share)} used
            </StatusBadge>
          </div>
          <div className={classes.track} aria-hidden="true">
            <span
              className={classes.used}
              data-status={use.status}
              style={{ width: `${use.share * 100}%` }}
            />
          </div>
          <span className={classes.words}>
            {formatBytes(use.usedMegabytes * MEGABYTE)} used,{' '}
            {formatBytes(use.freeMegabytes * MEGABYTE)} free
          </span>
        </li>
      ))}
    </ul>
  )
}
