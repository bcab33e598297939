import { Button } from '@mantine/core'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { formatOf } from '../model/file-format.ts'
import classes from './data.module.css'

interface JsonSetupProps {
  readonly graph: string
  readonly file: File
  readonly onLoad: (file: File) => void
}

export function JsonSetup({ graph, file, onLoad }: JsonSetupProps) {
  return (
    <div className={classes['setup']}>
      <p className={classes['hint']}>
        {formatOf(file.name) === 'ndjson'
          ? 'Each line is one upsert payload; many of them travel in one request.'
          : 'The file is one upsert payload, or an array of them.'}
      </p>
      <Refusable refusal={useRefusal(upsertData, graph)}>
        <Button onClick={() => onLoad(file)}>Load {file.name}</Button>
      </Refusable>
    </div>
  )
}
