import { expect, it } from 'vitest'
import { graphOfKey, withoutNames, withoutPaths } from './metric-names.ts'

const text = `# TYPE quiver_requests counter
quiver_requests_total{endpoint="GET /query/{query}",outcome="error"} 2
quiver_requests_total{endpoint="GET /query/secret/leak",outcome="ok"} 3
quiver_requests_total{endpoint="GET /query/secret/other",outcome="ok"} 4
quiver_requests_total{endpoint="POST /query/open/q",outcome="ok"} 5
quiver_requests_total{endpoint="GET /query/secret/leak",outcome="error"} 6
quiver_requests_total{endpoint="GET /graph/vertices/{vertex_type}",outcome="ok"} 7
tigergraph_qps{host_id="m1",endpoint="GET /query/secret/leak"} 0.5
tigergraph_qps{host_id="m1",endpoint="GET /query/secret/other"} 0.25
# EOF
`

it('adds up what names a graph that the caller may not know', () => {
  expect(withoutNames(text, (graph) => graph === 'open')).toBe(`# TYPE quiver_requests counter
quiver_requests_total{endpoint="GET /query/{query}",outcome="error"} 8
quiver_requests_total{endpoint="GET /query/{query}",outcome="ok"} 7
quiver_requests_total{endpoint="POST /query/open/q",outcome="ok"} 5
quiver_requests_total{endpoint="GET /graph/vertices/{vertex_type}",outcome="ok"} 7
tigergraph_qps{host_id="m1",endpoint="GET /query/{query}"} 0.75
# EOF
`)
})

it('changes nothing for who may know all', () => {
  expect(withoutNames(text, () => true)).toBe(text)
})

it('knows the graph of a key', () => {
  expect(graphOfKey('GET /query/secret/leak')).toBe('secret')
  expect(graphOfKey('GET /query/{query}')).toBeNull()
  expect(graphOfKey('GET /graph/vertices/{vertex_type}')).toBeNull()
})

it('leaves the data directory out', () => {
  const line =
    'tigergraph_diskspace_free{host_id="m1",mount_point="/",path="/srv/q",path_name="G"} 1'
  expect(withoutPaths(line)).toBe(line.replace('/srv/q', ''))
})
