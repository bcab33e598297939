/** What a CSV file means: its shape, the type it feeds, the column of each part, and a try. */
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRefusal } from '#api/rights.ts'
import { upsertData } from '#contract/upsert.ts'
import { type CsvShape, sniffCsv } from '#lib/csv/csv-sniff.ts'
import { isWholeFile, sampleText, useFileStart } from '#lib/csv/file-sample.ts'
import { type Encoding, encodings, sniffEncoding } from '#lib/csv/text-decoding.ts'
import {
  type EdgePairModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import type { HandedReading } from '#lib/storage/handover.ts'
import { EmptyState, ErrorNotice, Loading } from '#ui/feedback/states.tsx'
import { Refusable } from '#ui/inputs/refusable.tsx'
import { mayBeEdges } from '../model/edge-plan.ts'
import type { CsvReading } from '../model/file-chunks.ts'
import {
  guessMapping,
  guessType,
  handedMapping,
  type Mapping,
  mappingProblem,
} from '../model/mapping.ts'
import classes from './data.module.css'
import { DryRun } from './dry-run.tsx'
import { MappingTable } from './mapping-table.tsx'
import { NewEdgeType } from './new-edge-type.tsx'

interface CsvSetupProps {
  readonly graph: string
  readonly file: File
  /** How the page before read the file; null: to be guessed. */
  readonly handed: HandedReading | null
  readonly schema: SchemaModel
  readonly onLoad: (file: File, reading: CsvReading) => void
}

export function CsvSetup(props: CsvSetupProps) {
  const { file } = props
  const start = useFileStart(file)
  const [chosen, setChosen] = useState<Encoding | null>(null)
  if (start === null) return <Loading what={file.name} rows={4} />
  if (start instanceof Error) return <ErrorNotice error={start} title="The file cannot be read" />
  const encoding = chosen ?? sniffEncoding(start)
  const sample = sampleText(start, encoding, file)
  if (sample.trim() === '') return <EmptyState text={`${file.name} is empty.`} />
  if (chosen === null && sample.includes('\0')) {
    return <EmptyState text={`${file.name} is no text.`} />
  }
  return <CsvMapping key={encoding} {...props} {...{ sample, encoding }} onEncoding={setChosen} />
}

interface CsvMappingProps extends CsvSetupProps {
  readonly sample: string
  readonly encoding: Encoding
  readonly onEncoding: (encoding: Encoding) => void
}

const delimiters = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Pipe' },
  { value: ' ', label: 'Blank' },
]

const encodingLabels: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
}

function CsvMapping(props: CsvMappingProps) {
  const { graph, sample, encoding, file, schema, handed, onLoad } = props
  const isWhole = isWholeFile(file)
  const [shape, setShape] = useState(() => sniffCsv(sample, { ...handed, isWhole }))
  const [mapping, setMapping] = useState(
    () =>
      (handed === null ? null : handedMapping(schema, handed)) ?? firstMapping(schema, file, shape),
  )
  const names = shape.columns.map(({ name }) => name)
  const { delimiter, hasHeader, nullText } = shape
  const reshape = (known: { delimiter?: string; hasHeader?: boolean; nullText?: string }) => {
    const next = sniffCsv(sample, { delimiter, hasHeader, nullText, isWhole, ...known })
    setShape(next)
    // What is empty changes nothing about which column feeds what.
    if (known.nullText === undefined) setMapping(remapped(schema, mapping, next))
  }
  const chooseType = (name: string | null, pair?: EdgePairModel) => {
    const type = name === null ? undefined : findType(schema, name)
    if (type !== undefined) setMapping(guessMapping(schema, type, names, pair))
  }
  const type = mapping === null ? undefined : findType(schema, mapping.typeName)
  const problem = mapping === null ? 'Choose a type.' : mappingProblem(schema, mapping)
  const reading =
    mapping === null ? null : { delimiter, encoding, hasHeader, columns: names, nullText, mapping }
  return (
    <div className={classes['setup']}>
      <div className={classes['shape']}>
        <Select
          label="Delimiter"
          data={delimiters}
          value={delimiter}
          allowDeselect={false}
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
        <Select
          label="Encoding"
          data={encodings.map((value) => ({ value, label: encodingLabels[value] }))}
          value={encoding}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = encodings.find((one) => one === value)
            if (chosen !== undefined) props.onEncoding(chosen)
          }}
        />
        <TextInput
          label="Text for no value"
          placeholder="none"
          value={nullText}
          onChange={(event) => reshape({ nullText: event.currentTarget.value })}
        />
        <Switch
          label="The first row is a header"
          checked={hasHeader}
          onChange={(event) => reshape({ hasHeader: event.currentTarget.checked })}
        />
      </div>
      <div className={classes['buttons']}>
        <NewEdgeType
          {...{ graph, schema }}
          fileName={file.name}
          columns={shape.columns}
          onMade={setMapping}
        />
        {mapping !== null && mayBeEdges(mapping, shape.columns) && (
          <span className={classes['warning']}>
            Most columns fill nothing of {mapping.typeName}. Is each row an edge between two
            vertices?
          </span>
        )}
      </div>
      {mapping !== null && <MappingTable mapping={mapping} shape={shape} onChange={setMapping} />}
      {reading !== null && problem === null && (
        <DryRun
          file={file}
          reading={reading}
          isDoubtful={mayBeEdges(reading.mapping, shape.columns)}
        />
      )}
      {problem !== null && <p className={classes['problem']}>{problem}</p>}
      <Refusable refusal={useRefusal(upsertData, graph)}>
        <Button
          disabled={mapping === null || problem !== null}
          onClick={() => {
            if (reading !== null) onLoad(file, reading)
          }}
        >
          {mapping === null ? 'Load' : `Load into ${mapping.typeName}`}
        </Button>
      </Refusable>
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
