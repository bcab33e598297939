/** What an index is worth for one filter, measured here and now. */
import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, formatDuration } from '#lib/format.ts'
import { FigureRow, FigureTile } from '#ui/chart/figure-tile.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { ErrorNotice } from '#ui/feedback/states.tsx'
import { sampleValueQuery, useBenchmark } from '../api/benchmark.ts'
import { filterText, operatorsOf, verdict } from '../model/benchmark.ts'
import type { IndexRow } from '../model/indexes.ts'
import classes from './indexes.module.css'

interface BenchmarkDialogProps {
  readonly graph: string
  readonly row: IndexRow
  readonly onClose: () => void
}

export function BenchmarkDialog({ graph, row, onClose }: BenchmarkDialogProps) {
  const sample = useQuery(sampleValueQuery(graph, row)).data
  const [operator, setOperator] = useState('=')
  const [typed, setTyped] = useState<string | null>(null)
  const benchmark = useBenchmark(graph, row)
  const value = typed ?? sample ?? ''
  const { data: result } = benchmark
  const close = () => {
    benchmark.stop()
    onClose()
  }
  return (
    <Dialog opened onClose={close} title={`Benchmark ${row.name}`}>
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault()
          benchmark.run(filterText(row.attribute, row.attributeType, [operator, value]))
        }}
      >
        <p className={classes['cost']}>
          Counts the {row.vertexType} vertices of this filter for up to five seconds, by turns with
          the index and by looking at all of them. Its reads count as hits.
        </p>
        <div className={classes['condition']}>
          <Select
            label={row.attribute}
            aria-label="Comparison"
            data={[...operatorsOf(row.attributeType)]}
            value={operator}
            onChange={(picked) => picked !== null && setOperator(picked)}
          />
          <TextInput
            label="Value"
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
        {benchmark.isError && (
          <ErrorNotice error={benchmark.error} title="The filter could not be read" />
        )}
        {result !== undefined && (
          <div role="status" className={classes['measured']}>
            <FigureRow>
              <FigureTile label="With the index" value={formatDuration(result.indexedMs)} />
              <FigureTile label="Without" value={formatDuration(result.scannedMs)} />
            </FigureRow>
            <p className={classes['cost']}>
              {verdict(result)} Medians of {counted(result.runs, 'read', 'reads')} each as this
              browser saw them, the network included; {counted(result.found, 'vertex', 'vertices')}{' '}
              found.
              {result.isMoving && ' The graph changed meanwhile.'}
            </p>
          </div>
        )}
        <footer className={classes['actions']}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button type="submit" loading={benchmark.isPending}>
            Run
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
