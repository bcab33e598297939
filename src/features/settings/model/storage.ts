/** What the console keeps in this browser; other applications of the same origin stay untouched. */
const PREFIX = 'quiver.'
const BYTES_PER_UNIT = 2

interface StoredEntry {
  readonly key: string
  readonly sizeBytes: number
}

export function storedEntries(storage: Storage): readonly StoredEntry[] {
  const entries: StoredEntry[] = []
  for (let index = 0; index < storage.length; index++) {
    const key = storage.key(index)
    if (key === null || !key.startsWith(PREFIX)) continue
    const length = key.length + (storage.getItem(key)?.length ?? 0)
    entries.push({ key, sizeBytes: length * BYTES_PER_UNIT })
  }
  return entries
}

export function clearStorage(storage: Storage): void {
  for (const { key } of storedEntries(storage)) storage.removeItem(key)
}
