/** Why a server cannot listen, in words for the operator. */
import { DbError } from '#kernel/errors.ts'

const PRIVILEGED_PORT_MAX = 1_023

/** @returns the error itself where the system gives no reason of those below */
export function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: string }
  const reason = reasonOf(code, port)
  if (reason === null) return error
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  return new DbError('UNAVAILABLE', `cannot listen on ${address}: ${reason}`, { cause: error })
}

function reasonOf(code: string | undefined, port: number): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return 'another program listens there; choose another --port'
    case 'EACCES':
    case 'EPERM':
      return port <= PRIVILEGED_PORT_MAX
        ? 'this user may not use a port below 1024; choose another --port, or give the program CAP_NET_BIND_SERVICE'
        : 'the system does not allow it; choose another --port'
    case 'EADDRNOTAVAIL':
      return 'this machine does not have the address; choose another --host'
    case 'EAFNOSUPPORT':
      return 'this machine has no addresses of that kind; choose another --host'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name is unknown; choose another --host'
    default:
      return null
  }
}
