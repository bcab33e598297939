/** Certificate and key of `--tls-cert` and `--tls-key`, refused at the start rather than at a handshake. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DbError } from '#kernel/errors.ts'
import { fileReason } from '#storage/files/reasons.ts'

export interface TlsFiles {
  /** PEM: the server's certificate, then those that lead to a known authority. */
  readonly cert: string
  readonly key: string
}

export interface TlsPaths {
  readonly cert: string
  readonly key: string
}

/**
 * @param nowMs certificates that have ended are refused: no client would come in
 * @throws DbError INVALID_PARAMETER naming the option and the file
 */
export function readTlsFiles(paths: TlsPaths, nowMs: number): TlsFiles {
  const cert = readPem('--tls-cert', paths.cert)
  const key = readPem('--tls-key', paths.key)
  const certificate = certificateOf(cert, paths.cert)
  if (!certificate.checkPrivateKey(privateKeyOf(key, paths.key))) {
    throw invalid(`--tls-key ${paths.key} is not the key of the certificate ${paths.cert}`)
  }
  const end = new Date(certificate.validTo)
  if (end.getTime() <= nowMs) {
    throw invalid(`--tls-cert ${paths.cert} has ended on ${end.toISOString()}`)
  }
  return { cert, key }
}

function readPem(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw invalid(`${option}: ${path} ${fileReason(cause, 'read')}`, cause)
  }
}

function certificateOf(text: string, path: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (cause) {
    throw invalid(`--tls-cert: ${path} holds no certificate in PEM form`, cause)
  }
}

function privateKeyOf(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    const { code } = cause as { code?: string }
    const isEncrypted = code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(text)
    const what = isEncrypted
      ? 'is encrypted: give a key without a passphrase'
      : 'holds no private key in PEM form'
    throw invalid(`--tls-key: ${path} ${what}`, cause)
  }
}

function invalid(message: string, cause?: unknown): DbError {
  return new DbError('INVALID_PARAMETER', message, cause === undefined ? {} : { cause })
}
