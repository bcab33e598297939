/**
 * Where a request comes from. Behind a proxy the address of the connection is the proxy's: then the
 * last address of `X-Forwarded-For` counts that no trusted proxy has.
 */
import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'

/** Whether an address is one of a list. */
export type AddressTest = (address: string) => boolean

/**
 * @param addresses of a machine, of a network (`10.0.0.0/8`), or the words `loopback`, `linklocal`
 *   and `uniquelocal`
 * @throws TypeError naming the first that cannot be read
 */
export function addressTest(addresses: readonly string[]): AddressTest {
  if (addresses.length === 0) return () => false
  const isListed = compile([...addresses])
  return (address) => isIP(address) !== 0 && isListed(address, 0)
}

/** @returns undefined when the connection is gone */
export function clientAddress(request: FastifyRequest): string | undefined {
  const handedOn = request.state?.forwarded
  if (handedOn) return handedOn.address ?? undefined
  const { remoteAddress } = request.raw.socket
  if (request.headers['x-forwarded-for'] === undefined) return remoteAddress
  const forwarded = withoutPort(request.ip)
  return isIP(forwarded) === 0 ? remoteAddress : forwarded
}

/** Whether the way to the client is encrypted: by this server, or by a trusted proxy. */
export function isSecureRequest(request: FastifyRequest): boolean {
  if (request.state?.forwarded) return request.state.forwarded.isSecure
  return request.protocol?.toLowerCase() === 'https'
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`: each connection has another port. */
function withoutPort(address: string): string {
  const text = address.trim()
  return /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
}
