/**
 * The header of a request that another instance has handed on (docs/decisions/0128): who did, for
 * whom, and a signature over it, the method and the URL.
 */
import { timingSafeEqual } from 'node:crypto'
import { DbError } from '#kernel/errors.ts'

export const FORWARDED_HEADER = 'x-quiver-forwarded'
/** Of the answer of an instance that did nothing, for it is not the writer. */
export const REFUSED_HEADER = 'x-quiver-refused'

/** What the instance says where the client is. */
export interface Forwarded {
  readonly instance: string
  readonly address: string | null
  readonly isSecure: boolean
}

interface Line {
  readonly method: string
  readonly url: string
}

type Sign = (text: string) => string

export function forwardedHeader(sign: Sign, forwarded: Forwarded, line: Line): string {
  const facts = Buffer.from(JSON.stringify(forwarded)).toString('base64url')
  return `${facts}.${sign(signedText(facts, line))}`
}

/** @throws DbError FORBIDDEN for what no instance over this store has signed */
export function readForwarded(sign: Sign, header: string, line: Line): Forwarded {
  const [facts = '', signature = ''] = header.split('.')
  const own = Buffer.from(sign(signedText(facts, line)))
  const given = Buffer.from(signature)
  if (own.length !== given.length || !timingSafeEqual(own, given)) {
    throw new DbError(
      'FORBIDDEN',
      `The header ${FORWARDED_HEADER} is of no instance of this store.`,
    )
  }
  return JSON.parse(Buffer.from(facts, 'base64url').toString()) as Forwarded
}

function signedText(facts: string, { method, url }: Line): string {
  return `${facts}\n${method}\n${url}`
}
