/** Before the first test: bundles host.ts, as the server itself is bundled (scripts/build.mjs). */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { hostFile } from './hosted.ts'
import { program } from './server.ts'

/** The worker threads of a server lie beside the built program. */
const banner = `import { pathToFileURL as toUrl } from 'node:url'
const builtProgram = toUrl(${JSON.stringify(program)}).href`

// biome-ignore lint/style/noDefaultExport: Playwright takes it from there
export default async function bundleHost(): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL('host.ts', import.meta.url))],
    outfile: hostFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    define: { 'import.meta.url': 'builtProgram' },
    banner: { js: banner },
    logLevel: 'warning',
  })
}
