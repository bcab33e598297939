import { Button } from '@mantine/core'
import { formatBytes } from '#lib/format.ts'
import { formatOf } from '../model/file-format.ts'
import classes from './data.module.css'

interface FileSummaryProps {
  readonly file: File
  readonly disabled: boolean
  readonly onRemove: () => void
}

export function FileSummary({ file, disabled, onRemove }: FileSummaryProps) {
  return (
    <p className={classes['fileLine']}>
      <strong>{file.name}</strong>
      <span className={classes['hint']}>
        {formatOf(file.name).toUpperCase()}, {formatBytes(file.size)}
      </span>
      <Button variant="default" disabled={disabled} onClick={onRemove}>
        Other file
      </Button>
    </p>
  )
}
