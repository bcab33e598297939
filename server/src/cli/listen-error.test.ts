import { expect, it } from 'vitest'
import { listenError } from './listen-error.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

it('says what to do about an address that cannot be taken', () => {
  for (const [code, host, port, message] of [
    ['EADDRINUSE', '::1', 5, 'cannot listen on [::1]:5: another program listens there'],
    ['EACCES', '0.0.0.0', 443, 'a port below 1024'],
    ['EACCES', '0.0.0.0', 8080, 'the system does not allow it'],
    ['EADDRNOTAVAIL', '10.9.9.9', 1, 'does not have the address'],
    ['EAFNOSUPPORT', '::', 1, 'no addresses of that kind'],
    ['ENOTFOUND', 'nowhere', 1, 'the name is unknown'],
  ] as const) {
    expect(String(listenError(failure(code), host, port)), code).toContain(message)
  }
  const other = failure('EIO')
  expect(listenError(other, 'h', 1)).toBe(other)
})
