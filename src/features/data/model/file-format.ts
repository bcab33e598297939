/** What a file is, by the end of its name. */
export type FileFormat = 'csv' | 'json' | 'ndjson'

export function formatOf(fileName: string): FileFormat {
  const end = fileName.split('.').at(-1)?.toLowerCase() ?? ''
  if (end === 'json') return 'json'
  return end === 'ndjson' || end === 'jsonl' ? 'ndjson' : 'csv'
}

/** Extensions of files that can be loaded, as a file field takes them. */
export const acceptedFiles = '.csv,.tsv,.txt,.dat,.json,.ndjson,.jsonl'
