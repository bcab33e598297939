/**
 * How fast the machine was while the bench ran: three fixed loops, timed once a round. On a shared
 * host the same program takes between one and ten times as long from hour to hour, so that figures
 * of two runs can be compared only beside these.
 */
const ADDITIONS = 2e8
/** 64 MiB: beyond the caches. */
const WORDS = 1 << 24
const GATHERS = 4e6

interface Sample {
  readonly arithmeticNs: number
  readonly writeNs: number
  readonly gatherNs: number
}

export class MachineSpeed {
  readonly #samples: Sample[] = []
  #sink = 0

  sample(): void {
    const memory = new Uint32Array(WORDS)
    this.#samples.push({
      arithmeticNs: perStep(ADDITIONS, () => this.#add()),
      writeNs: perStep(WORDS, () => memory.fill(1)),
      gatherNs: perStep(GATHERS, () => this.#gather(memory)),
    })
  }

  /** Medians, and the slowest round in brackets. */
  text(): string {
    const figure = (of: (sample: Sample) => number) => {
      const values = this.#samples.map(of).sort((a, b) => a - b)
      const [middle, slowest] = [values[values.length >> 1] ?? 0, values.at(-1) ?? 0]
      return `${middle.toFixed(2)} ns (${slowest.toFixed(2)})`
    }
    const arithmetic = figure(({ arithmeticNs }) => arithmeticNs)
    const write = figure(({ writeNs }) => writeNs)
    const gather = figure(({ gatherNs }) => gatherNs)
    return `The machine meanwhile, median and slowest round: addition ${arithmetic}, first write of a word ${write}, read of a random word ${gather}.`
  }

  #add(): void {
    let sum = this.#sink
    for (let i = 0; i < ADDITIONS; i++) sum = (sum + i * 3) | 0
    this.#sink = sum
  }

  #gather(memory: Uint32Array): void {
    let sum = this.#sink
    let at = 1
    for (let i = 0; i < GATHERS; i++) {
      at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
      sum = (sum + memory[at >>> 8]!) | 0
    }
    this.#sink = sum
  }
}

function perStep(steps: number, loop: () => void): number {
  const started = performance.now()
  loop()
  return ((performance.now() - started) * 1e6) / steps
}
