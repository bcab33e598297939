/** Random questions to both engines; what differs is made small and reported. */
import { Dice } from '../oracle/fuzz/dice.ts'
import { type Engines, openEngines, type Question, type Rows } from './engines.ts'
import { type Graph, makeGraph, tables } from './graph.ts'
import { shapes } from './shapes.ts'
import { shrunk } from './shrink.ts'

export interface Run {
  readonly seed: number
  readonly questionCount: number
  readonly questionsPerGraph: number
  readonly shrinkMs: number
  readonly differencesMax: number
  /** Names of shapes; absent: all. */
  readonly only?: readonly string[]
}

export interface Report {
  readonly differences: readonly string[]
  /** By shape: how often it was asked, and how often the answer had rows. */
  readonly counts: ReadonlyMap<string, { asked: number; answered: number }>
}

interface Difference {
  readonly ours: Rows | string
  readonly theirs: Rows
}

export async function compareEngines(run: Run): Promise<Report> {
  const engines = await openEngines()
  const names = [...shapes.keys()].filter((name) => run.only?.includes(name) ?? true)
  const counts = new Map(names.map((name) => [name, { asked: 0, answered: 0 }]))
  const differences: string[] = []
  try {
    for (let at = 0; at < run.questionCount; at++) {
      const graphSeed = run.seed + Math.floor(at / run.questionsPerGraph)
      const graph = makeGraph(new Dice(graphSeed))
      if (at % run.questionsPerGraph === 0) await engines.load(graph)
      const shape = names[at % names.length]!
      const question = { shape, ...shapes.get(shape)!(new Dice(run.seed * 65_537 + at)) }
      const count = counts.get(shape)!
      count.asked += 1
      const asked = await differenceOf(engines, question)
      if (asked.theirs.length > 0) count.answered += 1
      if (!asked.isDifferent) continue
      differences.push(await reported(engines, { run, graph, graphSeed, at, question }))
      if (differences.length >= run.differencesMax) break
      await engines.load(graph)
    }
  } finally {
    await engines.close()
  }
  return { differences, counts }
}

async function differenceOf(
  engines: Engines,
  question: Question,
): Promise<Difference & { readonly isDifferent: boolean }> {
  const { columns, rows } = await engines.theirs(question)
  const theirs = question.isOrdered ? rows : sortedRows(rows)
  try {
    const given = await engines.ours(question, columns)
    const ours = question.isOrdered ? given : sortedRows(given)
    return { ours, theirs, isDifferent: JSON.stringify(ours) !== JSON.stringify(theirs) }
  } catch (error) {
    return { ours: (error as Error).message, theirs, isDifferent: true }
  }
}

function sortedRows(rows: Rows): Rows {
  const texts = rows.map((row) => JSON.stringify(row)).sort()
  return texts.map((text) => JSON.parse(text))
}

interface Found {
  readonly run: Run
  readonly graph: Graph
  readonly graphSeed: number
  readonly at: number
  readonly question: Question
}

async function reported(
  engines: Engines,
  { run, graph, graphSeed, at, question }: Found,
): Promise<string> {
  const differs = async (candidate: Graph): Promise<boolean> => {
    await engines.load(candidate)
    return (await differenceOf(engines, question)).isDifferent
  }
  const small = await shrunk(graph, differs, performance.now() + run.shrinkMs)
  await engines.load(small)
  const { ours, theirs } = await differenceOf(engines, question)
  return [
    `seed ${run.seed}, question ${at}, shape ${question.shape}, graph ${graphSeed}, ${question.form}:`,
    question.text,
    `-- ${question.sql}`,
    `ours   ${JSON.stringify(ours)}`,
    `DuckDB ${JSON.stringify(theirs)}`,
    `graph  ${JSON.stringify(small)}`,
    tables(small)
      .split('\n')
      .filter((line) => line.includes('INSERT'))
      .join('\n'),
  ].join('\n')
}
