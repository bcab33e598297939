/** What a CSV file means: its shape, the type it feeds, the column of each part, and a try. */
import { Button, Select, Switch } from '@mantine/core'
import { useEffect, useState } from 'react'
import {
  type EdgePairModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { EmptyState, Loading } from '#ui/states.tsx'
import { type CsvShape, sniffCsv } from '../model/csv-sniff.ts'
import type { CsvReading } from '../model/file-chunks.ts'
import { guessMapping, guessType, type Mapping, mappingProblem } from '../model/mapping.ts'
import classes from './data.module.css'
import { DryRun } from './dry-run.tsx'
import { MappingTable } from './mapping-table.tsx'

const SNIFF_BYTES = 256 * 1024

interface CsvSetupProps {
  readonly file: File
  readonly schema: SchemaModel
  readonly onLoad: (file: File, reading: CsvReading) => void
}

export function CsvSetup({ file, schema, onLoad }: CsvSetupProps) {
  const sample = useSample(file)
  if (sample === null) return <Loading what={file.name} rows={4} />
  if (sample.trim() === '') return <EmptyState text={`${file.name} is empty.`} />
  return <CsvMapping key={file.name} sample={sample} file={file} schema={schema} onLoad={onLoad} />
}

/** The beginning of the file as text; null until it is read. */
function useSample(file: File): string | null {
  const [sample, setSample] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    setSample(null)
    void file
      .slice(0, SNIFF_BYTES)
      .text()
      .then((text) => {
        if (current) setSample(wholeLines(text, file.size > SNIFF_BYTES))
      })
    return () => {
      current = false
    }
  }, [file])
  return sample
}

function wholeLines(text: string, isCut: boolean): string {
  const end = text.lastIndexOf('\n')
  return isCut && end > 0 ? text.slice(0, end) : text
}

interface CsvMappingProps extends CsvSetupProps {
  readonly sample: string
}

const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
]

function CsvMapping({ sample, file, schema, onLoad }: CsvMappingProps) {
  const [shape, setShape] = useState(() => sniffCsv(sample))
  const [mapping, setMapping] = useState(() => firstMapping(schema, file, shape))
  const names = shape.columns.map(({ name }) => name)
  const reshape = (known: { delimiter?: string; hasHeader?: boolean }) => {
    const { delimiter, hasHeader } = shape
    const next = sniffCsv(sample, { delimiter, hasHeader, ...known })
    setShape(next)
    setMapping(remapped(schema, mapping, next))
  }
  const chooseType = (name: string | null, pair?: EdgePairModel) => {
    const type = name === null ? undefined : findType(schema, name)
    if (type !== undefined) setMapping(guessMapping(schema, type, names, pair))
  }
  const type = mapping === null ? undefined : findType(schema, mapping.typeName)
  const problem = mapping === null ? 'Choose a type.' : mappingProblem(schema, mapping)
  return (
    <div className={classes['setup']}>
      <div className={classes['shape']}>
        <Select
          label="Delimiter"
          data={delimiters}
          value={shape.delimiter}
          onChange={(delimiter) => delimiter !== null && reshape({ delimiter })}
        />
        <Select
          label="Loads into"
          searchable
          data={[
            { group: 'Vertex types', items: schema.vertices.map(({ name }) => name) },
            { group: 'Edge types', items: schema.edges.map(({ name }) => name) },
          ]}
          value={mapping?.typeName ?? null}
          onChange={(name) => chooseType(name)}
        />
        <PairSelect
          type={type}
          mapping={mapping}
          onPair={(pair) => chooseType(type?.name ?? null, pair)}
        />
        <Switch
          label="The first row is a header"
          checked={shape.hasHeader}
          onChange={(event) => reshape({ hasHeader: event.currentTarget.checked })}
        />
      </div>
      {mapping !== null && <MappingTable mapping={mapping} shape={shape} onChange={setMapping} />}
      {mapping !== null && problem === null && <DryRun mapping={mapping} shape={shape} />}
      {problem !== null && <p className={classes['problem']}>{problem}</p>}
      <Button
        disabled={mapping === null || problem !== null}
        onClick={() => {
          if (mapping === null) return
          onLoad(file, { delimiter: shape.delimiter, hasHeader: shape.hasHeader, mapping })
        }}
      >
        {mapping === null ? 'Load' : `Load into ${mapping.typeName}`}
      </Button>
    </div>
  )
}

interface PairSelectProps {
  readonly type: TypeModel | undefined
  readonly mapping: Mapping | null
  readonly onPair: (pair: EdgePairModel) => void
}

function PairSelect({ type, mapping, onPair }: PairSelectProps) {
  if (type?.kind !== 'edge' || mapping?.kind !== 'edge' || type.pairs.length < 2) return null
  const text = ({ from, to }: EdgePairModel) => `${from} → ${to}`
  return (
    <Select
      label="Between"
      data={type.pairs.map(text)}
      value={text(mapping.pair)}
      onChange={(chosen) => {
        const pair = type.pairs.find((one) => text(one) === chosen)
        if (pair !== undefined) onPair(pair)
      }}
    />
  )
}

function firstMapping(schema: SchemaModel, file: File, shape: CsvShape): Mapping | null {
  const names = shape.columns.map(({ name }) => name)
  const type = guessType(schema, file.name, names)
  return type === undefined ? null : guessMapping(schema, type, names)
}

/** Another delimiter or header makes other columns, so what was mapped is guessed anew. */
function remapped(schema: SchemaModel, mapping: Mapping | null, shape: CsvShape): Mapping | null {
  const type = mapping === null ? undefined : findType(schema, mapping.typeName)
  if (type === undefined) return null
  const pair = mapping?.kind === 'edge' ? mapping.pair : undefined
  return guessMapping(
    schema,
    type,
    shape.columns.map(({ name }) => name),
    pair,
  )
}
