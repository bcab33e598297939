/** Functions that openCypher spells in its own way: what a misspelled one may have been meant for. */
export const cypherFunctionNames = [
  ...(['collect', 'head', 'id', 'labels', 'last', 'range', 'size', 'substring'] as const),
  ...(['tail', 'timestamp', 'toFloat', 'toInteger', 'toLower', 'toString', 'toUpper'] as const),
  'type',
] as const
