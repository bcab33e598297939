/** `SHOW PACKAGE`: the one package of functions that there is, `gds.vector` (gsql.md 18.7). */
import { vectorFunctions } from '#query/bind/vector-functions.ts'

const NAME = 'gds.vector'

/** @param name as given: `gds`, `gds.vector`, `gds.**`; empty: all */
export function packageLines(name: string): readonly string[] {
  const asked = name.replace(/\.?\*+$/, '').toLowerCase()
  if (asked !== '' && asked !== 'gds' && asked !== NAME) return []
  return [`Packages "${NAME}":`, '  - Object:', '    - Functions:', ...functionLines()]
}

function functionLines(): string[] {
  const names = [...vectorFunctions.keys()].toSorted()
  return names.map((name) => {
    const { vectorCount, extra } = vectorFunctions.get(name)!
    const vectors = ['list<double> list1', 'list<double> list2'].slice(0, vectorCount)
    const more = { metric: ['string metric'], index: ['int kth_index'] }
    const others = extra === 'metric' || extra === 'index' ? more[extra] : []
    const result = name === 'dimension_count' ? 'int' : 'float'
    const given = [...vectors, ...others].join(', ')
    return `      - ${NAME}.${name}(${given}) RETURNS (${result}) (installed)`
  })
}
