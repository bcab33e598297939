/**
 * Finds a worker's file beside the module that starts it: the source under type stripping, the
 * bundle's own entry point once the server is bundled (`dist/server/<name>.js`).
 */
export function workerEntry(importMetaUrl: string, name: string): URL {
  const extension = importMetaUrl.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${extension}`, importMetaUrl)
}
