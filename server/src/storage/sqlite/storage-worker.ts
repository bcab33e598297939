/**
 * Entry of the storage threads: SQLite's interface is synchronous, so each file has a thread that
 * does nothing else. Requests are answered in order; the first one opens the file.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '#kernel/assert.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { packViews, unpackViews } from '#kernel/shared-views.ts'
import { copyDataFiles } from './backup.ts'
import { LogFile } from './log-file.ts'
import {
  type BackupProtocol,
  type Failure,
  type Handlers,
  type LogProtocol,
  type Reply,
  type Request,
  type SegmentProtocol,
  transferables,
  type WorkerRole,
} from './protocol.ts'
import { SegmentFile } from './segment-file.ts'

interface Service {
  readonly handlers: Readonly<Record<string, (input: never) => unknown>>
  /** Runs when an answer is out. */
  readonly afterReply?: () => void
}

let service: Service | null = null

assert(parentPort !== null, 'the storage worker runs as a worker thread')
const port = parentPort
port.on('message', (request: Request) => {
  reply(answer(request))
  runAfterReply()
})
port.on('messageerror', (error) => {
  const failure = describe(error)
  const message = `a request to a storage thread could not be read: ${failure.message}`
  reply({ id: null, isRequestLost: true, failure: { ...failure, message } })
})

function answer(request: Request): Reply {
  const { id } = request
  try {
    const { kind, input } = unpackViews(request)
    service ??= createService(workerData as WorkerRole)
    const handler = service.handlers[kind]
    assert(handler !== undefined, `a storage thread knows the request ${kind}`)
    return { id, value: handler(input as never) }
  } catch (error) {
    return { id, failure: describe(error) }
  }
}

/** An answer that cannot be sent, for want of memory, is answered by that. */
function reply(message: Reply): void {
  try {
    port.postMessage(packViews(message), 'value' in message ? transferables(message.value) : [])
  } catch (error) {
    if (!('value' in message)) throw error
    const failure = describe(new DbError('STORE_FAILED', `an answer could not be sent: ${error}`))
    port.postMessage({ id: message.id, failure })
  }
}

function runAfterReply(): void {
  try {
    service?.afterReply?.()
  } catch (error) {
    reply({ id: null, isRequestLost: false, failure: describe(error) })
  }
}

function createService(role: WorkerRole): Service {
  switch (role.role) {
    case 'log': {
      const file = new LogFile(role)
      return { handlers: logHandlers(file), afterReply: () => file.checkpointIfDue() }
    }
    case 'segments':
      return { handlers: segmentHandlers(new SegmentFile(role)) }
    case 'backup':
      return { handlers: backupHandlers() }
  }
}

function logHandlers(file: LogFile): Handlers<LogProtocol> {
  return {
    state: () => file.state(),
    append: ({ bytes }) => file.appendGroup(bytes),
    read: ({ sequence }) => file.readBlock(sequence),
    trim: ({ foldedSequence }) => file.trim(foldedSequence),
    shrink: () => done(file.shrink()),
    putDocument: ({ collection, key, bytes }) => done(file.putDocument(collection, key, bytes)),
    deleteDocument: ({ collection, key }) => done(file.deleteDocument(collection, key)),
    getDocument: ({ collection, key }) => ({ bytes: file.getDocument(collection, key) }),
    listDocuments: ({ collection }) => file.listDocuments(collection),
    close: () => done(file.close()),
  }
}

function segmentHandlers(file: SegmentFile): Handlers<SegmentProtocol> {
  return {
    manifest: () => file.manifest(),
    writePiece: (piece) => done(file.writePiece(piece)),
    keepBlob: ({ writer, key }) => done(file.keepBlob(writer, key)),
    publish: ({ writer, description, foldedSequence }) =>
      file.publish(writer, description, foldedSequence),
    abandon: ({ writer }) => done(file.abandon(writer)),
    readBlob: ({ key }) => file.readBlob(key),
    deleteGarbage: () => file.deleteGarbage(),
    shrink: () => file.shrink(),
    close: () => done(file.close()),
  }
}

function backupHandlers(): Handlers<BackupProtocol> {
  return { backup: ({ directory, target }) => done(copyDataFiles(directory, target)) }
}

function done(_result: unknown): null {
  return null
}

function describe(error: unknown): Failure {
  if (isDbError(error)) {
    return { code: error.code, message: error.message, details: error.details }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message, details: {} }
}
