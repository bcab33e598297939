/** Files into the graph: choose, map, try a hundred rows, load with an account of every row. */
import { useEffect, useState } from 'react'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { handover } from '#lib/handover.ts'
import { FileDrop } from '#ui/file-drop.tsx'
import { formatOf } from '../model/file-format.ts'
import { defaultOptions } from '../model/upsert-options.ts'
import { CsvSetup } from './csv-setup.tsx'
import classes from './data.module.css'
import { FileSummary } from './file-summary.tsx'
import { JsonSetup } from './json-setup.tsx'
import { LoadReport } from './load-report.tsx'
import { OptionsPanel } from './options-panel.tsx'
import { useLoad } from './use-load.ts'

interface FileTabProps {
  readonly graph: string
  readonly schema: SchemaModel
}

export function FileTab({ graph, schema }: FileTabProps) {
  const [file, setFile] = useState(() => handover.of(graph))
  useEffect(() => handover.clear(), [])
  const [options, setOptions] = useState(defaultOptions)
  const load = useLoad(graph, options)
  const choose = (chosen: File) => {
    load.reset()
    setFile(chosen)
  }
  if (file === null) {
    return (
      <FileDrop
        label="File to load"
        text="Drop a CSV, JSON or NDJSON file here."
        hint="CSV columns are mapped to a type; JSON and NDJSON hold upsert payloads."
        accept=".csv,.tsv,.txt,.dat,.json,.ndjson,.jsonl"
        onFile={choose}
      />
    )
  }
  const isCsv = formatOf(file.name) === 'csv'
  const busy = load.progress?.state === 'running' || load.progress?.state === 'paused'
  return (
    <div className={classes['columns']}>
      <div className={classes['main']}>
        <FileSummary file={file} disabled={busy} onRemove={() => setFile(null)} />
        {load.progress === null ? (
          isCsv ? (
            <CsvSetup file={file} schema={schema} onLoad={load.startCsv} />
          ) : (
            <JsonSetup file={file} onLoad={load.startPayloads} />
          )
        ) : (
          <LoadReport graph={graph} file={file} load={load} progress={load.progress} />
        )}
      </div>
      <div className={classes['side']}>
        <fieldset className={classes['plain']} disabled={busy}>
          <OptionsPanel options={options} onChange={setOptions} />
        </fieldset>
      </div>
    </div>
  )
}
