/** User exceptions (docs/reference/gsql/statements.md#exceptions): raised by name with a code above 40000. Errors of arguments. */
import { DbError } from '#kernel/errors.ts'
import type { RunFailure } from '#query/ir/run-failure.ts'
import type { StringTable } from './cells/strings.ts'
import type { JsonWriter } from './output/json-writer.ts'

export class UserException extends DbError {
  readonly number: number

  constructor(number: number, message: string) {
    super('QUERY_RUNTIME', message, { details: { code: String(number) } })
    this.name = 'UserException'
    this.number = number
  }
}

export function exceptionFunctions(strings: StringTable, writer: JsonWriter) {
  return {
    raise: (exception: { readonly code: number; readonly name: string }, text: number): never => {
      const { code, name } = exception
      const own = `Exception ${name} is raised with error code ${code}`
      throw new UserException(code, text < 0 ? own : strings.text(text))
    },
    failRun: ({ code, message, contractCode }: RunFailure): never => {
      throw new DbError(code, message, {
        details: contractCode === null ? {} : { code: contractCode },
      })
    },
    /** How much is written where a TRY begins. */
    writtenLength: (): number => writer.length,
    /**
     * What a PRINT inside the TRY had begun to write is left out.
     *
     * @throws what was caught when it is no user exception
     */
    codeOfException: (caught: unknown, written: number): number => {
      if (!(caught instanceof UserException)) throw caught
      writer.abandon(written)
      return caught.number
    },
    raiseAgain: (caught: unknown): never => {
      throw caught
    },
  }
}
