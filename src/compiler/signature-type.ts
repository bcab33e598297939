/**
 * A type as a query declares it, in the form of the server's signatures: `SET < VERTEX<Person> >`
 * is `set<vertex<Person>>`.
 */
export function signatureType(written: string): string {
  return written
    .replaceAll(/\s+/g, '')
    .replaceAll(/(vertex<)?(\w+)/gi, (_all, vertex: string | undefined, word: string) =>
      vertex === undefined ? plain(word.toLowerCase()) : `vertex<${word}`,
    )
}

const plain = (word: string): string => (word === 'boolean' ? 'bool' : word)
