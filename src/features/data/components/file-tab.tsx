/** Files into the graph: choose, map, try a hundred rows, load with an account of every row. */
import { Button } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { handover } from '#lib/handover.ts'
import { EmptyState } from '#ui/states.tsx'
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
  if (file === null) return <FileDrop onFile={choose} />
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

function FileDrop({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  useEffect(() => {
    // A file dropped beside the target would replace the page.
    const stay = (event: DragEvent) => event.preventDefault()
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', stay)
    return () => {
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', stay)
    }
  }, [])
  return (
    <section
      className={classes['drop']}
      data-over={over}
      aria-label="Choose a file"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onFile(file)
      }}
    >
      <EmptyState
        icon={<FileUp size={28} />}
        text="Drop a CSV, JSON or NDJSON file here."
        hint="CSV columns are mapped to a type; JSON and NDJSON hold upsert payloads."
        actions={<Button onClick={() => input.current?.click()}>Choose a file</Button>}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to load"
        accept=".csv,.tsv,.txt,.dat,.json,.ndjson,.jsonl"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file !== undefined) onFile(file)
        }}
      />
    </section>
  )
}
