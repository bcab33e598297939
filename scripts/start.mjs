/** `npm start -- OPTIONS`: serves the built console and the API; see `--help`. */
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const server = new URL('../dist/server/main.js', import.meta.url)
if (!existsSync(fileURLToPath(server))) {
  process.stderr.write('quiver: dist/ is missing: run `npm run build`, or `npm start`\n')
  process.exit(1)
}
// The server reads its own options from process.argv.
process.argv[1] = fileURLToPath(server)
await import(server.href)
