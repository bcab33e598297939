/**
 * Whether a script says that a command of it could not be done. Its answer is text under status 200
 * whatever became of it, so the words that clients know failures by have to do.
 */
export const tellsFailure = (output: string): boolean =>
  /^(?:Semantic Check Fails|Encountered|Failed to)|does not exist|could not be|privilege/m.test(
    output,
  )
