import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { selfSigned } from '../../test/fixtures/certificate.ts'
import { readTlsFiles } from './tls-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'quiver-tls-'))
afterAll(() => rmSync(directory, { recursive: true }))

const now = Date.UTC(2026, 5, 1)
const { cert, key } = selfSigned(now + 1000)

function file(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

const paths = { cert: file('cert.pem', cert), key: file('key.pem', key) }

it('reads a certificate and its key', () => {
  expect(readTlsFiles(paths, now)).toEqual({ cert, key })
})

it('names the file that is missing or no file', () => {
  const gone = join(directory, 'gone.pem')
  expect(() => readTlsFiles({ ...paths, cert: gone }, now)).toThrow(
    `--tls-cert: ${gone} does not exist`,
  )
  expect(() => readTlsFiles({ ...paths, key: directory }, now)).toThrow(
    `--tls-key: ${directory} is a directory`,
  )
})

it('refuses what is no certificate, no key, or the key of another', () => {
  const text = file('text.pem', 'hello')
  expect(() => readTlsFiles({ ...paths, cert: text }, now)).toThrow('holds no certificate')
  expect(() => readTlsFiles({ ...paths, key: text }, now)).toThrow('holds no private key')
  const other = file('other.pem', selfSigned().key)
  expect(() => readTlsFiles({ ...paths, key: other }, now)).toThrow(
    `--tls-key ${other} is not the key of the certificate ${paths.cert}`,
  )
})

it('refuses a key with a passphrase, and a certificate that has ended', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const locked = privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  })
  const encrypted = file('locked.pem', locked.toString())
  expect(() => readTlsFiles({ ...paths, key: encrypted }, now)).toThrow('is encrypted')
  expect(() => readTlsFiles(paths, now + 1000)).toThrow('has ended on 2026-06-01T00:00:01.000Z')
})
