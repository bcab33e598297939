/** User exceptions (gsql.md 16.2): raised by name with a code above 40000. */
import { DbError } from '#kernel/errors.ts'
import type { StringTable } from './strings.ts'

export class UserException extends DbError {
  readonly number: number

  constructor(number: number, message: string) {
    super('QUERY_RUNTIME', message, { details: { code: String(number) } })
    this.name = 'UserException'
    this.number = number
  }
}

export function exceptionFunctions(strings: StringTable) {
  return {
    raise: (exception: { readonly code: number; readonly name: string }, text: number): never => {
      const { code, name } = exception
      const own = `Exception ${name} is raised with error code ${code}`
      throw new UserException(code, text < 0 ? own : strings.text(text))
    },
    /** @throws what was caught when it is no user exception */
    codeOfException: (caught: unknown): number => {
      if (caught instanceof UserException) return caught.number
      throw caught
    },
    raiseAgain: (caught: unknown): never => {
      throw caught
    },
  }
}
