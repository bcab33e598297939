/** The sample graph's schema, in the JSON forms of the public interface. */

const attribute = (name: string, type: string, more: object = {}) => ({
  AttributeName: name,
  AttributeType: { Name: type },
  ...more,
})

const vertex = (name: string, attributes: readonly object[]) => ({
  Name: name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes: attributes,
  Config: { STATS: 'OUTDEGREE_BY_EDGETYPE' },
})

const at = attribute('at', 'DATETIME', { IsDiscriminator: true })
const byTime = { DiscriminatorCount: 1, CompositeDiscriminator: ['at'] }

export const sampleVertices = [
  vertex('Account', [
    attribute('name', 'STRING'),
    attribute('country', 'STRING'),
    attribute('opened', 'DATETIME'),
    attribute('balance', 'DOUBLE'),
    attribute('risk', 'INT'),
  ]),
  vertex('Card', [attribute('network', 'STRING'), attribute('expires', 'DATETIME')]),
  vertex('Merchant', [
    attribute('name', 'STRING'),
    attribute('category', 'STRING'),
    attribute('city', 'STRING'),
  ]),
  vertex('Device', [attribute('system', 'STRING'), attribute('first_seen', 'DATETIME')]),
] as const

export const sampleEdges = [
  {
    Name: 'Has_Card',
    IsDirected: false,
    FromVertexTypeName: 'Account',
    ToVertexTypeName: 'Card',
    Attributes: [],
    Config: {},
  },
  {
    Name: 'Uses',
    IsDirected: false,
    FromVertexTypeName: 'Account',
    ToVertexTypeName: 'Device',
    Attributes: [attribute('logins', 'UINT')],
    Config: {},
  },
  {
    Name: 'Pays',
    IsDirected: true,
    FromVertexTypeName: 'Card',
    ToVertexTypeName: 'Merchant',
    ...byTime,
    Attributes: [at, attribute('amount', 'DOUBLE')],
    Config: { REVERSE_EDGE: 'Paid_By' },
  },
  {
    Name: 'Transfer',
    IsDirected: true,
    FromVertexTypeName: 'Account',
    ToVertexTypeName: 'Account',
    ...byTime,
    Attributes: [at, attribute('amount', 'DOUBLE')],
    Config: { REVERSE_EDGE: 'Transfer_From' },
  },
] as const

export const sampleQueries = [
  `CREATE OR REPLACE QUERY top_counterparties(VERTEX<Account> account, INT top = 10) {
  // Who receives most from one account, and how often.
  TYPEDEF TUPLE<VERTEX<Account> account, INT transfers, DOUBLE amount> Counterparty;
  HeapAccum<Counterparty>(top, amount DESC) @@best;
  SumAccum<INT> @transfers;
  SumAccum<DOUBLE> @amount;
  Start = {account};
  Receivers = SELECT t FROM Start:s -(Transfer>:e)- Account:t
    ACCUM t.@transfers += 1, t.@amount += e.amount
    POST-ACCUM @@best += Counterparty(t, t.@transfers, t.@amount);
  PRINT Receivers.size() AS receivers, @@best AS best;
}`,
  `CREATE OR REPLACE QUERY shared_devices(INT minimum = 4) {
  // Devices that several accounts log in from: the usual first sign of a ring.
  SumAccum<INT> @accounts;
  SetAccum<VERTEX<Account>> @users;
  Accounts = {Account.*};
  Shared = SELECT d FROM Accounts:a -(Uses:e)- Device:d
    ACCUM d.@accounts += 1, d.@users += a
    HAVING d.@accounts >= minimum
    ORDER BY d.@accounts DESC
    LIMIT 100;
  PRINT Shared[Shared.system, Shared.@accounts AS accounts, Shared.@users AS users];
}`,
  `CREATE OR REPLACE QUERY transfer_rank(INT iterations = 10, DOUBLE damping = 0.85, INT top = 20) {
  // PageRank over the transfers: where money collects.
  TYPEDEF TUPLE<VERTEX<Account> account, DOUBLE score> Ranked;
  HeapAccum<Ranked>(top, score DESC) @@ranks;
  SumAccum<DOUBLE> @received;
  SumAccum<DOUBLE> @score = 1;
  INT round = 0;
  Accounts = {Account.*};
  WHILE round < iterations DO
    Accounts = SELECT s FROM Accounts:s -(Transfer>:e)- Account:t
      ACCUM t.@received += s.@score / s.outdegree("Transfer");
    Accounts = {Account.*};
    Accounts = SELECT s FROM Accounts:s
      POST-ACCUM s.@score = (1 - damping) + damping * s.@received, s.@received = 0;
    round = round + 1;
  END;
  Accounts = SELECT s FROM Accounts:s POST-ACCUM @@ranks += Ranked(s, s.@score);
  PRINT @@ranks AS ranks;
}`,
] as const
