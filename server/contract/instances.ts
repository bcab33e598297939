/** The servers that share one store: who writes, who follows, and how far each of them is. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const instance = z.object({
  name: z.string(),
  /** From 1; stays with the name. Replica number, and part of request ids. */
  ordinal: z.number(),
  role: z.enum(['writer', 'follower']),
  /** Whether it is the one that answers. */
  self: z.boolean(),
  /** Where the other instances reach it. */
  url: z.string(),
  version: z.string(),
  /** Sequence of the last entry that it had applied at its last beat. */
  position: z.number(),
  /** Entries of the log that it had not applied then, as far as the answering instance knows. */
  lag: z.number(),
  memoryLimitBytes: z.number(),
  /** Since its last beat was seen; null: none was seen yet. */
  silentMs: z.number().nullable(),
})

/** A server with a store of its own is `alone`: `instances` is empty then. */
export const readInstances = endpoint({
  method: 'GET',
  path: '/quiver/v1/instances',
  at: 'any',
  ofInstance: true,
  summary: 'The servers that share this store: role, position, distance, memory, last beat',
  response: z.object({
    /** Of the instance that answers. */
    role: z.enum(['alone', 'writer', 'follower']),
    /** Names of the instance that answers and of the writer; null: none, or not known. */
    self: z.string().nullable(),
    writer: z.string().nullable(),
    /** Counts the changes of the writer. */
    epoch: z.number(),
    /** Sequence of the last entry of the log that is applied here. */
    position: z.number(),
    /** Whatever was acknowledged so long ago is seen here. */
    stalenessMs: z.number(),
    /** From here on reads are refused; null: never. */
    maxStalenessMs: z.number().nullable(),
    /** Whether the store answers. */
    connected: z.boolean(),
    /** Machines that hold an acknowledged write; null: not known. */
    durableCopies: z.number().nullable(),
    /** By ordinal. */
    instances: z.array(instance),
  }),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const handOver = endpoint({
  method: 'POST',
  path: '/quiver/v1/instances/hand-over',
  at: 'writer',
  summary: 'The writer ends what is under way and resigns; another instance takes over',
  response: z.undefined(),
  envelope: 'gsql',
  /** Of those who run the cluster. */
  privilege: 'WRITE_WORKLOAD_QUEUE',
  errors: ['STORE_FAILED'],
})
