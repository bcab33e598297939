/** The thread that writes the files of an export and checks those of an import: one job, then it ends. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { LinkInPath, openContained } from '#storage/files/contained.ts'
import { writeGraphAr } from './graphar/write-graphar.ts'
import type {
  FileSum,
  TransferAnswer,
  TransferJob,
  VerifyJob,
  WriteJob,
  WrittenElements,
} from './transfer-job.ts'
import { writeElements } from './write-elements.ts'

/** Only its owner reads what an export holds. */
const FILE_MODE = 0o600
const READ_SIZE_BYTES = 1 << 20

parentPort!.postMessage(answerTo(workerData as TransferJob))

function answerTo(job: TransferJob): TransferAnswer {
  try {
    switch (job.kind) {
      case 'write':
        return { kind: 'written', files: writeAll(job) }
      case 'writeGraphAr': {
        const { view, plan, directory } = job
        return { kind: 'writtenGraphAr', chunks: writeGraphAr(view, plan, directory) }
      }
      case 'verify':
        return { kind: 'verified', damage: firstDamage(job) }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { kind: 'failed', message, systemCode: code ?? null }
  }
}

function writeAll({ view, directory, files, format }: WriteJob): WrittenElements[] {
  return files.map((file) => {
    const descriptor = openSync(join(directory, file.file), 'wx', FILE_MODE)
    const hash = createHash('sha256')
    let sizeBytes = 0
    try {
      const { count } = writeElements(view, file, format, (text) => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
        hash.update(bytes)
        sizeBytes += bytes.length
      })
      fsyncSync(descriptor)
      return { file: file.file, count, sizeBytes, sha256: hash.digest('hex') }
    } finally {
      closeSync(descriptor)
    }
  })
}

function firstDamage({ directory, files }: VerifyJob): string | null {
  for (const file of files) {
    const found = sumOf(directory, file.file)
    if (found === null) return `${file.file} is a link or no file`
    if (found.sizeBytes !== file.sizeBytes) {
      return `${file.file} has ${found.sizeBytes} bytes, not ${file.sizeBytes}`
    }
    if (found.sha256 !== file.sha256) return `${file.file} does not have its checksum`
  }
  return null
}

/** @returns null for a link, which could lead anywhere, and for what is no file */
function openUnlinked(directory: string, file: string): number | null {
  try {
    return openContained(directory, join(directory, file))
  } catch (error) {
    if (error instanceof LinkInPath) return null
    throw error
  }
}

/** @returns null where `openUnlinked` does */
function sumOf(directory: string, file: string): Omit<FileSum, 'file'> | null {
  const descriptor = openUnlinked(directory, file)
  if (descriptor === null) return null
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(READ_SIZE_BYTES)
  let sizeBytes = 0
  try {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null)
      if (length === 0) return { sizeBytes, sha256: hash.digest('hex') }
      hash.update(buffer.subarray(0, length))
      sizeBytes += length
    }
  } finally {
    closeSync(descriptor)
  }
}
