/** How far a rebuild is. */
import { Progress } from '@mantine/core'
import { formatPercent } from '#lib/format.ts'
import classes from './rebuild-progress.module.css'

interface RebuildProgressProps {
  readonly step: string
  /** From 0 to 1. */
  readonly share: number
}

export function RebuildProgress({ step, share }: RebuildProgressProps) {
  const text = `${step}, ${formatPercent(Math.floor(share * 100) / 100)}`
  return (
    <div className={classes.progress}>
      <Progress value={share * 100} aria-label={`Rebuild: ${text}`} />
      <span>Rebuild: {text}</span>
    </div>
  )
}
