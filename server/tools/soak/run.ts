/** `npm run soak -- --minutes 30`; see options.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseSoakOptions, type SoakOptions, soakHelp } from './options.ts'
import { reportOf } from './report.ts'
import { runSoak } from './soak.ts'

const options = parseSoakOptions(process.argv.slice(2))
if (options === null) console.log(soakHelp)
else process.exitCode = await soak(options)

/** @returns the exit code */
async function soak(options: SoakOptions): Promise<number> {
  const directory = directoryOf(options)
  console.log(`seed ${options.seed}, data in ${directory}`)
  const result = await runSoak(options, directory, (line) => console.log(line))
  const { lines, broken } = reportOf(result, options)
  console.log(lines.join('\n'))
  if (options.directory === null && broken.length === 0) rmSync(directory, { recursive: true })
  else writeFileSync(join(directory, 'report.txt'), `${lines.join('\n')}\n`)
  return broken.length === 0 ? 0 : 1
}

function directoryOf({ directory }: SoakOptions): string {
  if (directory === null) return mkdtempSync(join(tmpdir(), 'quiver-soak-'))
  mkdirSync(directory, { recursive: true })
  return resolve(directory)
}
