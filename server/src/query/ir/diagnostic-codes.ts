/**
 * Codes of everything `bind` finds. Numbers known from docs/reference/gsql/queries.md#diagnostics mean what they mean
 * there; those from 9000 on are ours, for errors whose wording is ours as well.
 */
export const diagnosticCodes = {
  /** The text does not parse. */
  syntax: 'SYNTAX',
  undefinedFunction: 'SEM-45',
  otherAlias: 'SEM-50',
  noSuchAttribute: 'TYP-158',
  queryReturnsNothing: 'TYP-5401',
  noUndirectedEdge: 'TYP-8029',
  neverMatches: 'WARN-2',
  exactComparison: 'WARN-5',
  /** Of openCypher texts: what they mean here, or may mean elsewhere. */
  neverEqual: 'WARN-9001',
  sameRelationship: 'WARN-9002',
  relationshipAgain: 'WARN-9003',
  shortestWalks: 'WARN-9004',
  changedBefore: 'WARN-9005',
  undeclared: 'SEM-9001',
  duplicate: 'SEM-9002',
  unknownVertexType: 'SEM-9003',
  unknownEdgeType: 'SEM-9004',
  notSupported: 'SEM-9005',
  misplaced: 'SEM-9006',
  argumentCount: 'SEM-9007',
  severalAliases: 'SEM-9008',
  unknownGraph: 'SEM-9009',
  offsetWithoutOrder: 'SEM-9010',
  parameterAssigned: 'SEM-9011',
  typeMismatch: 'TYP-9001',
  notComparable: 'TYP-9002',
  noSuchMethod: 'TYP-9003',
  badLiteral: 'TYP-9004',
  /** Raised with type arguments: a name given at invocation is no type. */
  badVertexTypeArgument: 'GSQL-4500',
  badEdgeTypeArgument: 'GSQL-4501',
  badAttributeArgument: 'GSQL-3000',
} as const

export type DiagnosticCode = (typeof diagnosticCodes)[keyof typeof diagnosticCodes]
