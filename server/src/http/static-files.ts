/**
 * The built console under `/ui/`: files as they are, and the page itself for every path the
 * console's own router knows. `/` leads there. A strict content policy stands on these pages.
 * The manual under `/docs/` has files only, and a stricter policy.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import helmet from '@fastify/helmet'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Inline styles stay allowed: the component library writes its theme variables that way. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    workerSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}

/** Its pages have one script and one style, and ask for the texts that are searched. */
const manualPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}

/** @param directory the manual as built (`dist/manual`); without it `/docs/` is an unknown path */
export async function mountManual(app: FastifyInstance, directory: string): Promise<void> {
  if (!existsSync(join(directory, 'index.html'))) return
  await app.register((scope, _options, done) => {
    serveManual(scope, directory).then(() => done(), done)
  })
}

async function serveManual(scope: FastifyInstance, directory: string): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: manualPolicy,
    strictTransportSecurity: false,
  })
  await scope.register(staticFiles, {
    root: directory,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
  })
  scope.get('/docs/', (_request, reply) => reply.sendFile('index.html'))
  serveEach(scope, '/docs/*', directory, (_path, reply) => reply.callNotFound())
}

/**
 * One route for all files that are there at the start. A route for each of them took a tenth of what a start takes of the
 * main thread: `find-my-way` compiles functions for each.
 */
function serveEach(
  scope: FastifyInstance,
  url: string,
  directory: string,
  otherwise: (path: string, reply: FastifyReply) => unknown,
): void {
  const files = new Set(filesIn(directory))
  const { errorHandler } = scope
  scope.get<{ Params: { '*': string } }>(
    url,
    {
      errorHandler: (error, request, reply) => {
        // The client has gone.
        if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') request.raw.destroy()
        else errorHandler(error, request, reply)
      },
    },
    ({ params }, reply) => {
      const path = params['*']
      return files.has(path) ? reply.sendFile(path) : otherwise(path, reply)
    },
  )
}

/** Paths within the directory, with slashes. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

/** @param directory the console as built (`dist/ui`); without it `/ui/` is an unknown path */
export async function mountConsole(app: FastifyInstance, directory: string): Promise<void> {
  if (!existsSync(join(directory, 'index.html'))) return
  await app.register((scope, _options, done) => {
    serveFiles(scope, directory).then(() => done(), done)
  })
}

async function serveFiles(scope: FastifyInstance, directory: string): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy,
    // Plain HTTP on loopback is a supported way to serve.
    strictTransportSecurity: false,
  })
  await scope.register(staticFiles, {
    root: directory,
    serve: false,
    // The build has put `.br` and `.gz` beside what is worth it.
    preCompressed: true,
    cacheControl: false,
    setHeaders: cacheHashedFiles,
  })
  scope.get('/', (_request, reply) => reply.redirect('/ui/'))
  // The path that `*` does not stand for.
  scope.get('/ui/', (_request, reply) => reply.sendFile('index.html'))
  serveEach(scope, '/ui/*', directory, (path, reply) =>
    /\.\w+$/.test(path) ? reply.callNotFound() : reply.sendFile('index.html'),
  )
}

/** Built files carry a hash in their name; the page itself is asked for anew each time. */
function cacheHashedFiles(
  reply: { header(name: string, value: string): unknown },
  path: string,
): void {
  const isHashed = /[\\/]assets[\\/]/.test(path)
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}
