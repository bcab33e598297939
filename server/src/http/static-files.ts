/**
 * The built console under `/ui/`: files as they are, and the page itself for every path the
 * console's own router knows. `/` leads there. A strict content policy stands on these pages.
 * The manual under `/docs/` has files only, and a stricter policy.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'

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
    prefix: '/docs/',
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
    index: false,
  })
  scope.get('/docs/', (_request, reply) => reply.sendFile('index.html'))
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
    prefix: '/ui/',
    wildcard: false,
    // The build has put `.br` and `.gz` beside what is worth it.
    preCompressed: true,
    cacheControl: false,
    setHeaders: cacheHashedFiles,
  })
  scope.get('/', (_request, reply) => reply.redirect('/ui/'))
  scope.get('/ui/*', (request, reply) => {
    const isAsset = /\.\w+$/.test(request.url.split('?')[0] ?? '')
    return isAsset ? reply.callNotFound() : reply.sendFile('index.html')
  })
}

/** Built files carry a hash in their name; the page itself is asked for anew each time. */
function cacheHashedFiles(
  reply: { header(name: string, value: string): unknown },
  path: string,
): void {
  const isHashed = /[\\/]assets[\\/]/.test(path)
  reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}
