"""A day of a program that was written for TigerGraph, through its Python client (pyTigerGraph 2.x).

Connect, tokens, schema, upserts of every kind (data frames too), reads, queries of every kind, paths,
loading jobs, statistics, users, deletes, export and import: each step says what it expects, and the
script ends with a status other than 0 when one of them got something else. It makes graphs and types
of its own and drops everything at the end, so it refuses a server that has graphs.

    quiver --port 14241 --data /tmp/day --files /tmp/day-files
    python3 server/tools/python-client.py --client <folder of pyTigerGraph> --port 14241 --files /tmp/day-files

Needs Debian's python3-requests, python3-aiohttp, python3-validators and python3-pandas. The client is
read from its folder; nothing of it stands here.
"""
import argparse
import os
import sys
import time
import traceback

GRAPH = 'day'

SCHEMA = """
TYPEDEF TUPLE <street STRING(40), no INT> Address
CREATE VERTEX Person (PRIMARY_ID pid INT, name STRING, age UINT, score DOUBLE, active BOOL,
  joined DATETIME, langs LIST<STRING>, tags SET<STRING>, phones MAP<STRING, STRING>, home Address)
CREATE VERTEX Company (cid STRING PRIMARY KEY, sector STRING)
CREATE DIRECTED EDGE Works_At (FROM Person, TO Company, since DATETIME, pay DOUBLE)
  WITH REVERSE_EDGE="Employs"
CREATE UNDIRECTED EDGE Knows (FROM Person, TO Person, weight FLOAT)
CREATE DIRECTED EDGE Pays (FROM Company, TO Person, DISCRIMINATOR(month STRING), amount DOUBLE)
CREATE GRAPH day (Person, Company, Works_At, Knows, Pays)
"""

QUERIES = """
CREATE QUERY sum_of(INT a, SET<INT> more, STRING word) FOR GRAPH day {
  SumAccum<INT> @@sum = a;
  FOREACH one IN more DO @@sum += one; END;
  PRINT @@sum AS sum, word;
}
CREATE QUERY friends(VERTEX<Person> p) FOR GRAPH day {
  start = {p};
  found = SELECT t FROM start:s -(Knows:e)- Person:t ORDER BY t.name ASC;
  PRINT found[found.name];
}
CREATE QUERY spin(INT rounds) FOR GRAPH day {
  SumAccum<INT> @@n;
  INT i = 0;
  WHILE i < rounds LIMIT 2000000000 DO i = i + 1; @@n += i % 3; END;
  PRINT @@n;
}
"""

LOADING_JOB = """
CREATE LOADING JOB people FOR GRAPH day {
  DEFINE FILENAME f;
  LOAD f TO VERTEX Person VALUES ($0, $1, $2, _, _, _, _, _, _, _),
         TO EDGE Works_At VALUES ($0, $3, _, _) USING SEPARATOR=",";
}
"""


class Day:
    """Counts what was expected and got."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.part = ''

    def same(self, what, got, expected):
        if got == expected:
            self.passed += 1
            return
        self.failed.append(f'{self.part}: {what}: expected {expected!r}, got {got!r}')

    def true(self, what, got):
        self.same(what, bool(got), True)

    def raises(self, what, error, call):
        try:
            got = call()
        except error:
            self.passed += 1
            return
        self.failed.append(f'{self.part}: {what}: expected an exception, got {got!r}')


def connect(day, make, Error, args):
    conn = make()
    day.same('echo', conn.echo(), 'Hello GSQL')
    day.same('echo by POST', conn.echo(usePost=True), 'Hello GSQL')
    day.same('ping', conn.ping()['message'], 'pong')
    day.same('version', len(conn.getVer().split('.')), 3)
    day.true('components', any(one['name'] == 'gpe' for one in conn.getVersion()))
    secret = conn.createSecret(alias='day')
    day.true('the secret is listed', 'day' in conn.getSecrets())
    day.raises('the alias again', Error, lambda: conn.createSecret(alias='day'))
    token = conn.getToken(secret)[0]
    day.same('the token holds', conn.checkJwtToken(token)['error'], False)
    bearer = make(jwtToken=token)
    day.same('by token', bearer.echo(), 'Hello GSQL')
    day.raises('a bad token', Error, lambda: make(jwtToken=token[:-3] + 'abc'))
    day.same('the token is dropped', conn.deleteToken(secret, token), True)
    day.raises('the token dropped', Error, lambda: make(jwtToken=token))
    day.true('the secret is dropped', 'Successfully' in str(conn.dropSecret('day')))
    day.raises('the secret again', Error, lambda: conn.dropSecret('day', ignoreErrors=False))
    return conn


def schema(day, conn, Error):
    day.true('created', 'The graph day is created.' in conn.gsql(SCHEMA))
    day.same('vertex types', sorted(conn.getVertexTypes(force=True)), ['Company', 'Person'])
    day.same('edge types', sorted(conn.getEdgeTypes()), ['Knows', 'Pays', 'Works_At'])
    day.same('attributes', conn.getVertexAttrs('Company'), [('cid', 'STRING'), ('sector', 'STRING')])
    day.same('reverse', conn.getReverseEdge('Works_At'), 'Employs')
    day.same('directed', [conn.isDirected('Works_At'), conn.isDirected('Knows')], [True, False])
    day.same('ends', [conn.getEdgeSourceVertexType('Pays'), conn.getEdgeTargetVertexType('Pays')],
             ['Company', 'Person'])
    day.same('discriminators', conn.getDiscriminators('Pays'), [('month', 'STRING')])
    day.same('tuples', conn.getUDTs(), ['Address'])
    day.same('a tuple', conn.getUDT('Address'),
             [{'fieldName': 'street', 'length': 40, 'fieldType': 'STRING'},
              {'fieldName': 'no', 'length': 8, 'fieldType': 'INT'}])
    before = conn.getSchemaVer()
    added = {'addVertexTypes': [{'Name': 'Tag', 'Attributes': [], 'PrimaryId': {
        'AttributeName': 'tid', 'AttributeType': {'Name': 'UINT'}}}]}
    day.same('a change as JSON', conn.runSchemaChange(added)['error'], False)
    day.same('its version', conn.getSchemaVer(), before + 1)
    conn.createSchemaChangeJob('grow', 'ALTER VERTEX Tag ADD ATTRIBUTE (label STRING);')
    day.true('the job is listed', 'grow' in str(conn.getSchemaChangeJobs()))
    day.same('the job runs', conn.runSchemaChangeJob('grow')['error'], False)
    conn.dropSchemaChangeJobs('grow')
    conn.getSchema(force=True)
    day.same('its attribute', conn.getVertexAttrs('Tag'), [('label', 'STRING')])
    day.true('checked', 'succeed' in str(conn.validateGraphSchema()))
    day.same('graphs', [one['graphName'] for one in conn.listGraphs()], [GRAPH])
    day.raises('an unknown graph', Error, lambda: conn.dropGraph('nowhere'))
    day.same('dropped', conn.dropVertices('Tag', graph=GRAPH)['error'], False)


def upserts(day, conn, pandas, Error):
    whole = {'name': 'Ada', 'age': 36, 'score': 1.5, 'active': True, 'joined': '2024-03-01 09:30:00'}
    day.same('a vertex', conn.upsertVertex('Person', 1, whole), 1)
    day.same('vertices with operators', conn.upsertVertices('Person', [
        (1, {'age': (4, '+')}), (2, {'name': 'Bo', 'age': (41, 'max')}), (3, {'name': 'Cy'})]), 3)
    day.same('atomic', conn.upsertVertices('Company', [('mill', {'sector': 'engines'})], atomic=True), 1)
    frame = pandas.DataFrame({'id': [4, 5], 'called': ['Di', 'Ed'], 'age': [20, 30]})
    day.same('a frame of vertices', conn.upsertVertexDataFrame(
        frame, 'Person', 'id', {'name': 'called', 'age': 'age'}), 2)
    day.same('an edge', conn.upsertEdge('Person', 1, 'Works_At', 'Company', 'mill', {'pay': 5200.5}), 1)
    day.same('edges', conn.upsertEdges('Person', 'Knows', 'Person', [
        (1, 2, {'weight': 0.5}), (2, 3, {'weight': 1.5}), (3, 4, {})]), 3)
    day.same('parallel edges', conn.upsertEdges('Company', 'Pays', 'Person', [
        ('mill', 1, {'month': '2024-01', 'amount': 10}),
        ('mill', 1, {'month': '2024-02', 'amount': 12})]), 2)
    frame = pandas.DataFrame({'from': [2, 3], 'to': ['mill', 'mill'], 'pay': [1.5, 2.5]})
    day.same('a frame of edges', conn.upsertEdgeDataFrame(
        frame, 'Person', 'Works_At', 'Company', 'from', 'to', {'pay': 'pay'}), 2)
    day.same('edges whose ends must be', conn.upsertEdges(
        'Person', 'Knows', 'Person', [(1, 77, {})], vertexMustExist=True), 0)
    data = {'vertices': {'Person': {'1': {
        'langs': {'value': ['en', 'fr']}, 'tags': {'value': ['vip', 'vip']},
        'phones': {'value': {'keylist': ['home'], 'valuelist': ['111']}},
        'home': {'value': {'keylist': ['street', 'no'], 'valuelist': ['Elm', 5]}}}}}}
    day.same('collections', conn.upsertData(data, ackAll=True),
             {'accepted_vertices': 1, 'accepted_edges': 0})
    day.same('only new ones', conn.upsertData(data, newVertexOnly=True)['skipped_vertices'], 1)
    day.raises('an unknown attribute', Error, lambda: conn.upsertVertex('Person', 9, {'zz': 1}))
    day.raises('an unknown type', Error, lambda: conn.upsertVertex('Nobody', 9, {}))


def reads(day, conn, Error):
    [ada] = conn.getVerticesById('Person', 1)
    day.same('all attributes', ada['attributes'], {
        'name': 'Ada', 'age': 40, 'score': 1.5, 'active': True, 'joined': '2024-03-01 09:30:00',
        'langs': ['en', 'fr'], 'tags': ['vip'], 'phones': {'home': '111'},
        'home': {'street': 'Elm', 'no': 5}})
    found = conn.getVertices('Person', select='age', where='age>25,age<41', sort='-age', limit=2)
    day.same('chosen, filtered, sorted', [(one['v_id'], one['attributes']['age']) for one in found],
             [('1', 40), ('5', 30)])
    frame = conn.getVertexDataFrame('Person', select='name', sort='name')
    day.same('a frame', list(frame['name']), ['Ada', 'Bo', 'Cy', 'Di', 'Ed'])
    day.same('edges of a vertex', len(conn.getEdges('Person', 1)), 2)
    [work] = conn.getEdges('Person', 1, 'Works_At', 'Company', 'mill')
    day.same('one edge', work['attributes']['pay'], 5200.5)
    day.same('a frame of edges', len(conn.getEdgesDataFrame('Company', 'mill', 'Pays')), 2)
    day.same('edges of a type', len(conn.getEdgesByType('Works_At')), 3)
    day.same('vertices in all', conn.getVertexCount('*'), {'Company': 1, 'Person': 5})
    day.same('filtered', conn.getVertexCount('Person', where='age>25'), 3)
    day.same('edges in all', {kind: count for kind, count in conn.getEdgeCount().items() if count},
             {'Works_At': 3, 'Employs': 3, 'Knows': 3, 'Pays': 2})
    day.same('edges from', conn.getEdgeCountFrom('Person', 1, 'Works_At'), 1)
    day.same('statistics', conn.getVertexStats('Person')['Person']['age'], {'MAX': 41, 'MIN': 0, 'AVG': 26.2})
    day.same('of edges', conn.getEdgeStats('Works_At')['Works_At']['pay']['MAX'], 5200.5)
    day.raises('an unknown id', Error, lambda: conn.getVerticesById('Person', 99))


def queries(day, conn, Error):
    day.true('created', 'Successfully created' in conn.createQuery(QUERIES)['message'])
    day.raises('the name is taken', Error, lambda: conn.createQuery('CREATE QUERY spin() { PRINT 1; }'))
    day.true('installed', 'SUCCESS' in str(conn.installQueries('all')))
    day.same('listed', sorted(conn.listQueryNames()), ['friends', 'spin', 'sum_of'])
    day.true('endpoints', 'GET /query/day/spin' in conn.getInstalledQueries())
    day.same('signature', conn.getQueryMetadata('friends')['input'], [{'p': 'vertex<Person>'}])
    day.true('text', conn.getQueryContent('friends')['queryContent'].startswith('CREATE QUERY friends'))
    day.same('checked', conn.checkQuerySemantic('CREATE QUERY z() FOR GRAPH day { PRINT zz; }')['errors'] != [],
             True)
    word = 'a "b" 100% + & \U0001F600'
    expected = [{'sum': 6, 'word': word}]
    parameters = {'a': 1, 'more': [2, 3], 'word': word}
    day.same('by GET', conn.runInstalledQuery('sum_of', parameters), expected)
    day.same('by POST', conn.runInstalledQuery('sum_of', parameters, usePost=True), expected)
    day.same('of a vertex', [one['v_id'] for one in conn.runInstalledQuery(
        'friends', {'p': (2,)})[0]['found']], ['1', '3'])
    day.same('as older programs write it', len(conn.runInstalledQuery('friends', 'p=2')[0]['found']), 2)
    day.same('interpreted', conn.runInterpretedQuery(
        'INTERPRET QUERY (INT a) FOR GRAPH day { PRINT a + 1 AS b; }', {'a': 4}), [{'b': 5}])
    day.same('openCypher', conn.runInterpretedQuery(
        'INTERPRET OPENCYPHER QUERY () FOR GRAPH day { MATCH (p:Person) RETURN count(p) AS n }')[0], {'T': [{'n': 5}]})
    run = conn.runInstalledQuery('sum_of', parameters, runAsync=True)
    day.same('submitted', wait_for(lambda: conn.checkQueryStatus(run)[0]['status'], 'success'), 'success')
    day.same('its result', conn.getQueryResult(run), expected)
    busy = conn.runInstalledQuery('spin', {'rounds': 2_000_000_000}, runAsync=True, timeout=60_000)
    day.same('running', wait_for(lambda: len(conn.getRunningQueries()['results']), 1), 1)
    [aborted] = conn.abortQuery(busy)['results']
    day.same('aborted', [one['requestid'] for one in aborted['aborted_queries']], [busy])
    day.same('its status', wait_for(lambda: conn.checkQueryStatus(busy)[0]['status'], 'aborted'), 'aborted')
    day.raises('too slow', Error, lambda: conn.runInstalledQuery('spin', {'rounds': 2_000_000_000}, timeout=200))
    conn.describeQuery('friends', 'who knows one', {'p': 'the one'})
    day.same('described', conn.getQueryDescription('friends')[0]['description'], 'who knows one')
    conn.dropQueryDescription('friends')
    day.same('dropped', conn.dropQueries(['spin', 'sum_of'])['failedToDrop'], [])
    day.raises('an unknown query', Error, lambda: conn.runInstalledQuery('spin'))


def wait_for(read, wanted):
    """Reads until it is as wanted, for 10 s at most."""
    end = time.monotonic() + 10
    got = read()
    while got != wanted and time.monotonic() < end:
        time.sleep(0.05)
        got = read()
    return got


def paths(day, conn):
    path = conn.shortestPath(('Person', 1), ('Person', 4), maxLength=5, edgeFilters=('Knows', 'weight >= 0'))
    day.same('shortest', sorted(one['v_id'] for one in path[0]['vertices']), ['1', '2', '3', '4'])
    through = conn.shortestPath(('Person', 1), ('Person', 4))
    day.same('shortest of all edges', len(through[0]['edges']), 3)
    heavy = conn.shortestPath(('Person', 1), ('Person', 4), edgeFilters=('Knows', 'weight > 1'))
    day.same('none', heavy[0]['vertices'], [])
    every = conn.allPaths(('Person', 1), ('Company', 'mill'), 2)
    day.same('all', len(every[0]['edges']), 3)


def loading(day, conn, pandas, args, Error):
    day.same('created', conn.createLoadingJob(LOADING_JOB)['error'], False)
    day.true('listed', 'people' in str(conn.getLoadingJobs()))
    day.true('its text', 'LOAD f TO VERTEX' in str(conn.getLoadingJobInfo('people')))
    [fed] = conn.runLoadingJobWithData('11,Flo,50,mill\n12,Gus,60,bank\nx,No,1,bank\n', 'f', 'people')
    day.same('data', [one['validObject'] for one in fed['statistics']['vertex']], [2])
    frame = pandas.DataFrame([[13, 'Hal', 70, 'bank']]).set_index(0)
    [fed] = conn.runLoadingJobWithDataFrame(frame, 'f', 'people', sep=',')
    day.same('a frame', fed['statistics']['validLine'], 1)
    day.raises('an unknown job', Error, lambda: conn.runLoadingJobWithData('1', 'f', 'nope'))
    if args.files is not None:
        path = os.path.join(args.files, 'people.csv')
        with open(path, 'w', encoding='utf8') as file:
            file.write('14,Ida,80,bank\n')
        [fed] = conn.runLoadingJobWithFile(path, 'f', 'people', sep=',')
        day.same('a file of the client', fed['statistics']['validLine'], 1)
        own = LOADING_JOB.replace('JOB people', 'JOB own').replace('FILENAME f;', 'FILENAME f = "people.csv";')
        conn.createLoadingJob(own)
        # The client sends a form and loses the names of the files: the job reads its own.
        ran = conn.runLoadingJob('own', {'filename': 'f', 'path': 'people.csv'})
        day.same('a file of the server', ran['message'], 'Successfully ran loading job(s): [own]')
        [state] = conn.getLoadingJobStatus(ran['jobIds'][0])
        day.same('its status', state['overall']['status'], 'FINISHED')
        conn.createDataSource('shelf', {'type': 'file', 'path': '.'}, graphName=GRAPH)
        day.true('a data source', 'shelf' in str(conn.getDataSources()))
        conn.dropDataSource('shelf', graphName=GRAPH)
    day.same('loaded', conn.getVertexCount('Company'), 2)
    day.true('dropped', 'people' in str(conn.dropLoadingJob('people')))


def monitoring(day, conn):
    day.true('statistics', 'CompletedRequests' in str(conn.getQueryPerformance(60)))
    day.same('services', conn.getServiceStatus({'ServiceDescriptors': [{'ServiceName': 'GSQL'}]})[
        'ServiceStatusEvents'][0]['ServiceStatus'], 'Online')
    for what in ('cpu', 'mem', 'diskspace', 'network', 'qps'):
        day.true(what, 'Metrics' in str(conn.getSystemMetrics(latest=1, what=what)))
    day.true('rebuilt', 'RebuildNow finished' in str(conn.rebuildGraph()))
    day.true('endpoints', 'GET /endpoints/{graph_name}' in conn.getEndpoints(builtin=True))


def users(day, conn, make, Error):
    made = conn.gsql('CREATE USER reader WITH PASSWORD "a-long-password-1"')
    day.true('created', 'reader' in made and 'uccess' in made)
    conn.gsql(f'GRANT ROLE observer ON GRAPH {GRAPH} TO reader')
    reader = make(username='reader', password='a-long-password-1')
    day.same('reads the schema', len(reader.getVertexTypes()), 2)
    day.raises('writes nothing', Error, lambda: reader.upsertVertex('Person', 1, {}))
    wrong = make(username='reader', password='wrong')
    day.raises('wrong password', Error, wrong.getVertexTypes)
    day.true('dropped', 'uccess' in conn.gsql('DROP USER reader'))


def deletes(day, conn):
    day.same('one edge', conn.delEdges('Person', 1, 'Works_At', 'Company', 'mill'), {'Works_At': 1})
    day.same('by id', conn.delVerticesById('Person', 5), 1)
    day.same('by condition', conn.delVertices('Person', where='age>55'), 3)
    day.same('by type', conn.delVerticesByType('Company'), 2)
    day.same('what is left', conn.getEdgeCount('Pays'), 0)


def transfer(day, conn, Error):
    left = conn.getVertexCount('*')
    exported = conn.exportDatabase('day-export', schema=True, template=True, data=True)
    day.same('exported', exported['message'], 'Successfully exported database.')
    day.raises('not over another', Error, lambda: conn.exportDatabase('day-export', schema=True))
    day.same('dropped', conn.dropAll()['error'], False)
    day.same('empty', conn.listGraphs(), [])
    day.same('imported', conn.importDatabase('day-export')['message'], 'Successfully imported database.')
    day.same('as before', conn.getVertexCount('*'), left)
    day.same('the query runs', len(conn.runInstalledQuery('friends', {'p': (2,)})[0]['found']), 2)
    day.true('data cleared', 'uccess' in str(conn.clearGraphStore()))
    day.same('no data', sum(conn.getVertexCount('*').values()), 0)
    day.same('dropped at the end', conn.dropAll()['error'], False)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--client', required=True, help='folder that holds the package pyTigerGraph')
    parser.add_argument('--host', default='http://127.0.0.1')
    parser.add_argument('--port', default='14240')
    parser.add_argument('--user', default='tigergraph')
    parser.add_argument('--password', default='tigergraph')
    parser.add_argument('--files', help='the directory that the server has as --files, for files to load')
    return parser.parse_args()


def main():
    args = options()
    sys.path.insert(0, args.client)
    import pandas
    from pyTigerGraph import TigerGraphConnection, TigerGraphException

    def make(username=args.user, password=args.password, **more):
        return TigerGraphConnection(host=args.host, graphname=GRAPH, username=username, password=password,
                                    restppPort=args.port, gsPort=args.port, **more)

    Error = (TigerGraphException, OSError)
    day = Day()
    conn = make()
    if conn.listGraphs():
        sys.exit('The server has graphs: this script drops everything at its end, and wants an empty one.')
    parts = {
        'connect': lambda: connect(day, make, Error, args),
        'schema': lambda: schema(day, conn, Error),
        'upserts': lambda: upserts(day, conn, pandas, Error),
        'reads': lambda: reads(day, conn, Error),
        'queries': lambda: queries(day, conn, Error),
        'paths': lambda: paths(day, conn),
        'loading': lambda: loading(day, conn, pandas, args, Error),
        'monitoring': lambda: monitoring(day, conn),
        'users': lambda: users(day, conn, make, Error),
        'deletes': lambda: deletes(day, conn),
        'transfer': lambda: transfer(day, conn, Error),
    }
    for name, part in parts.items():
        day.part = name
        before = day.passed
        try:
            part()
        except Exception:
            day.failed.append(f'{name}: {traceback.format_exc(limit=-4)}')
        print(f'{name}: {day.passed - before} passed')
    for failure in day.failed:
        print(f'FAILED {failure}')
    print(f'{day.passed} passed, {len(day.failed)} failed')
    sys.exit(1 if day.failed else 0)


if __name__ == '__main__':
    main()
