/**
 * Entry of the storage threads: SQLite's interface is synchronous, so each file has a thread that
 * does nothing else. Requests are answered in order; the first one opens the file.
 */
import { parentPort, workerData } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { assert } from '#kernel/assert.ts'
import type { Handlers } from '../thread/messages.ts'
import { type Service, serveRequests } from '../thread/serve-requests.ts'
import { LogFile } from './log-file.ts'
import type { LogProtocol, SegmentProtocol, WorkerRole } from './protocol.ts'
import { SegmentFile } from './segment-file.ts'

assert(parentPort !== null, 'the storage worker runs as a worker thread')
serveRequests(parentPort, () => createService(workerData as WorkerRole))

function createService(role: WorkerRole): Service {
  switch (role.role) {
    case 'log': {
      const file = new LogFile(role)
      return { handlers: logHandlers(file), afterReply: () => file.checkpointIfDue() }
    }
    case 'segments':
      return { handlers: segmentHandlers(new SegmentFile(role)) }
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

function done(_result: unknown): null {
  return null
}
