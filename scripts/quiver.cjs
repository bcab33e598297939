#!/usr/bin/env node
'use strict'
/**
 * The command `quiver` of the package, and `npm start` of a checkout: starts the built server. Where Node is too old
 * for it, the pinned one is fetched from npm, once (docs/decisions/0111).
 */
const fs = require('fs')
const path = require('path')
const { server, suits } = require('./node-versions.cjs')

const main = path.join(__dirname, '..', 'dist', 'server', 'main.js')

if (!fs.existsSync(main)) fail('dist/ is missing: run `npm run build`, or `npm start`')
else if (suits(server, process.versions.node)) launch(process.execPath)
else launch(require('./pinned-node.cjs').pinnedNode(fail))

function launch(node) {
  if (node === null) return
  const { allocatorSettings, heapOptions } = require('./allocator.cjs')
  // From Node 22.15 on it is a warning that nobody can do anything about: node:sqlite was experimental then.
  const options = ['--disable-warning=ExperimentalWarning'].concat(heapOptions, process.execArgv)
  const args = options.concat(main, process.argv.slice(2))
  // The allocator reads its settings when a process begins. What the user has set counts.
  const environment = Object.assign({}, allocatorSettings, process.env)
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    // The server takes the place of this process, so that signals reach it. It may take its own one later.
    environment.QUIVER_LAUNCHER = 'replaced'
    process.execve(node, [node].concat(args), environment)
  }
  run(node, args, environment)
}

/** The status of a server that asks to be started again: server/src/cli/start-again.ts. */
const START_AGAIN = 75
const PAUSE_MS = 1000

/** Where a process cannot be replaced: signals are passed on, and the server ends with this process. */
function run(node, args, environment) {
  environment.QUIVER_LAUNCHER = String(process.pid)
  const child = require('child_process').spawn(node, args, { stdio: 'inherit', env: environment })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  let isStopped = false
  signals.forEach((signal) => {
    process.on(signal, () => {
      // A hang-up may be for the certificate.
      isStopped = isStopped || signal !== 'SIGHUP'
      child.kill(signal)
    })
  })
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (code === START_AGAIN && !isStopped) {
      signals.forEach((name) => {
        process.removeAllListeners(name)
      })
      setTimeout(() => run(node, args, environment), PAUSE_MS)
      return
    }
    if (signal === null) process.exit(code)
    // The same end as the server's, for whoever waits for this process.
    signals.forEach((name) => {
      process.removeAllListeners(name)
    })
    process.kill(process.pid, signal)
  })
}

function fail(text) {
  process.stderr.write(`quiver: ${text}\n`)
  process.exitCode = 1
}
