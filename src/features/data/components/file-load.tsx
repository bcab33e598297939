/** A chosen file: map, try a hundred rows, load with an account of every row. */
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { HandedReading } from '#lib/storage/handover.ts'
import { formatOf } from '../model/file-format.ts'
import { isGoingOn } from '../model/kept-loads.ts'
import type { UpsertOptions } from '../model/upsert-options.ts'
import { CsvSetup } from './csv-setup.tsx'
import classes from './data.module.css'
import { FileSummary } from './file-summary.tsx'
import { JsonSetup } from './json-setup.tsx'
import { LoadReport } from './load-report.tsx'
import { OptionsPanel } from './options-panel.tsx'
import { useLoad } from './use-load.ts'

interface FileLoadProps {
  readonly graph: string
  readonly schema: SchemaModel
  readonly file: File
  /** How the page before read the file; null: to be guessed. */
  readonly handed: HandedReading | null
  readonly options: UpsertOptions
  readonly onOptions: (options: UpsertOptions) => void
  readonly onFile: (file: File) => void
}

export function FileLoad(props: FileLoadProps) {
  const { graph, schema, file, handed, options, onOptions, onFile } = props
  const load = useLoad(graph, file, options)
  const isCsv = formatOf(file.name) === 'csv'
  const busy = load.progress !== null && isGoingOn(load.progress)
  const replace = (other: File) => {
    load.reset()
    onFile(other)
  }
  return (
    <div className={classes['columns']}>
      <div className={classes['main']}>
        <FileSummary
          file={file}
          disabled={busy}
          rejectedCount={load.progress?.rejectedCount ?? 0}
          onFile={replace}
        />
        {load.progress === null ? (
          isCsv ? (
            <CsvSetup {...{ graph, file, schema, handed }} onLoad={load.startCsv} />
          ) : (
            <JsonSetup {...{ graph, file }} onLoad={load.startPayloads} />
          )
        ) : (
          <LoadReport graph={graph} file={file} load={load} progress={load.progress} />
        )}
      </div>
      <div className={classes['side']}>
        <fieldset className={classes['plain']} disabled={busy}>
          <OptionsPanel options={options} onChange={onOptions} />
        </fieldset>
      </div>
    </div>
  )
}
