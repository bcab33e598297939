import { expect, it } from 'vitest'
import { hangUps } from './hang-up.ts'

function observed(terminalIsGone = false) {
  const seen: string[] = []
  const received = hangUps({
    terminalIsGone: () => terminalIsGone,
    report: (line) => seen.push(line),
  })
  const reload = () => seen.push('reload')
  const stop = () => seen.push('stop')
  return { seen, received, reload, stop }
}

it('reloads the certificate once the server serves, and is reported before', () => {
  const { seen, received, reload, stop } = observed()
  received.receive()
  received.use({ reload, stop })
  received.receive()
  received.receive()
  expect(seen).toEqual(['quiver: SIGHUP: the server is still starting', 'reload', 'reload'])
})

it('is reported by a server without a certificate, and nothing else', () => {
  const { seen, received, stop } = observed()
  received.use({ reload: null, stop })
  received.receive()
  expect(seen).toEqual(['quiver: SIGHUP: there is no certificate to reload'])
})

it('stops a server whose terminal is gone', () => {
  const { seen, received, reload, stop } = observed(true)
  received.use({ reload, stop })
  received.receive()
  expect(seen).toEqual(['stop'])
})
