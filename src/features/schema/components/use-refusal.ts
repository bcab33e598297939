/** The last refusal of an operation, to be said beside the control that asked for it. */
import { useState } from 'react'
import type { Operation } from '../model/operations.ts'

export type Apply = (operation: Operation) => string | null

/** `run` does the operation; `refusal` is why the last one was refused, or null. */
export function useRefusal(apply: Apply): { readonly run: Apply; readonly refusal: string | null } {
  const [refusal, setRefusal] = useState<string | null>(null)
  const run: Apply = (operation) => {
    const problem = apply(operation)
    setRefusal(problem)
    return problem
  }
  return { run, refusal }
}
