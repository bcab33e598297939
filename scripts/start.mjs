/** `npm start -- OPTIONS`: serves the built console and the API; see `--help`. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { allocatorSettings } from './allocator.mjs'

const NODE_MAJOR = 26
if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
  process.stderr.write(
    `quiver: this is Node ${process.versions.node}; \`npm start\` brings and uses Node ${NODE_MAJOR}\n`,
  )
  process.exit(1)
}

const server = new URL('../dist/server/main.js', import.meta.url)
if (!existsSync(fileURLToPath(server))) {
  process.stderr.write('quiver: dist/ is missing: run `npm run build`, or `npm start`\n')
  process.exit(1)
}
// The allocator reads its settings when a process begins, so the server takes the place of this one.
// What the user has set counts.
process.execve(
  process.execPath,
  [process.execPath, ...process.execArgv, fileURLToPath(server), ...process.argv.slice(2)],
  { ...allocatorSettings, ...process.env },
)
