'use strict'
/** First of all: whether the Node of this machine can install and build a checkout. */
const { checkout, suits } = require('./node-versions.cjs')

const version = process.versions.node
if (!suits(checkout, version)) {
  process.stderr.write(`quiver: this is Node ${version}; a checkout needs Node ${checkout.text}\n`)
  process.exit(1)
}
