import { describe, expect, it } from 'vitest'
import { graphsNamedIn } from './data-rights.ts'

const named = (text: string) => graphsNamedIn({ graph: 'home', text })

describe('the graphs that a text names', () => {
  it('are those of its queries, else the one it is at home in', () => {
    expect(named('INTERPRET QUERY () { PRINT 1; }')).toEqual(['home'])
    expect(named('CREATE QUERY q() for  graph Other { PRINT 1; }')).toEqual(['Other'])
    const both = 'CREATE QUERY a() FOR GRAPH x { } CREATE QUERY b() FOR GRAPH y { }'
    expect(named(both)).toEqual(['x', 'y'])
  })

  it('are none that a comment or a string names', () => {
    for (const hidden of ['/* FOR GRAPH mine */', '// FOR GRAPH mine\n', '# for graph theory\n']) {
      expect(named(`${hidden} CREATE QUERY q() FOR GRAPH other { }`)).toEqual(['other'])
      expect(named(`${hidden} INTERPRET QUERY () { PRINT "FOR GRAPH mine"; }`)).toEqual(['home'])
    }
    expect(named('CREATE QUERY q() FOR /* graph */ GRAPH other { }')).toEqual(['other'])
  })
})
