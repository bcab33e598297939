/** Files into the graph: choose one, and the rest comes with it. */
import { lazy, useEffect, useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { handover } from '#lib/storage/handover.ts'
import { FileDrop } from '#ui/inputs/file-drop.tsx'
import { acceptedFiles } from '../model/file-format.ts'
import { keptLoads } from '../model/kept-loads.ts'
import { defaultOptions } from '../model/upsert-options.ts'

const FileLoad = lazy(async () => ({ default: (await import('./file-load.tsx')).FileLoad }))

interface FileTabProps {
  readonly graph: string
  readonly schema: SchemaModel
}

export function FileTab({ graph, schema }: FileTabProps) {
  const [handed] = useState(() => handover.of(graph))
  const [file, setFile] = useState(() => handed?.file ?? keptLoads.of(graph)?.file ?? null)
  const [filesChosen, setFilesChosen] = useState(0)
  const refusal = useRefusal(upsertData, graph)
  const choose = (chosen: File) => {
    setFile(chosen)
    setFilesChosen((count) => count + 1)
  }
  useEffect(() => handover.clear(), [])
  const [options, setOptions] = useState(defaultOptions)
  if (file !== null) {
    return (
      <FileLoad
        key={filesChosen}
        {...{ graph, schema, file, options }}
        handed={handed?.file === file ? handed.reading : null}
        onOptions={setOptions}
        onFile={choose}
      />
    )
  }
  return (
    <FileDrop
      label="File to load"
      text="Drop a CSV, JSON or NDJSON file here."
      hint="CSV columns are mapped to a type; JSON and NDJSON hold upsert payloads."
      accept={acceptedFiles}
      refusal={refusal}
      onFile={choose}
    />
  )
}
