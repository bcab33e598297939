/** The thread of the prober; see prober.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { Caller } from './caller.ts'
import { Latencies } from './latencies.ts'
import type { ProbeFigures, ProbeSettings } from './prober.ts'
import { valueAt } from './read-state.ts'
import { FIXED_COUNT, GRAPH } from './schema.ts'

const CONNECTIONS = 4
const PAUSE_MS = 20

startProbing(workerData as ProbeSettings)

function startProbing({ port, authorization }: ProbeSettings): void {
  const latencies = new Latencies()
  const wrong: string[] = []
  let isOver = false
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const caller = new Caller(authorization)
    caller.connectTo(port)
    void probe(caller)
  }
  parentPort!.once('message', () => {
    isOver = true
    parentPort!.postMessage({ ...latencies.figures, wrong } satisfies ProbeFigures)
  })

  async function probe(caller: Caller): Promise<void> {
    for (let number = 0; !isOver; number = (number + 7) % FIXED_COUNT) {
      const path = `/restpp/graph/${GRAPH}/vertices/Fixed/fixed-${number}`
      const answer = await caller.send({ method: 'GET', path }).catch(() => null)
      if (answer === null) return
      latencies.add(answer.durationMs)
      const found = valueAt(answer.body, 'results.0.attributes.n')
      if (found !== number) wrong.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
