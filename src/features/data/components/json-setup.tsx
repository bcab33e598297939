import { Button } from '@mantine/core'
import { formatOf } from '../model/file-format.ts'
import classes from './data.module.css'

interface JsonSetupProps {
  readonly file: File
  readonly onLoad: (file: File) => void
}

export function JsonSetup({ file, onLoad }: JsonSetupProps) {
  return (
    <div className={classes['setup']}>
      <p className={classes['hint']}>
        {formatOf(file.name) === 'ndjson'
          ? 'Each line is one upsert payload; many of them travel in one request.'
          : 'The file is one upsert payload, or an array of them.'}
      </p>
      <Button onClick={() => onLoad(file)}>Load {file.name}</Button>
    </div>
  )
}
