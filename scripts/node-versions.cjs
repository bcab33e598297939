'use strict'
/**
 * Which versions of Node do what. This file and those that require it are parsed by any Node from 12 on, so
 * that an old one says what is needed instead of failing in the middle.
 */

/**
 * The built server: node:sqlite without a flag, zstd in node:zlib, process.execve. 22.14 has no zstd, 23.10 no
 * execve (docs/decisions/0111).
 */
const server = {
  majors: { 22: 15, 23: 11 },
  from: 24,
  text: '22.15 or newer (of version 23: 23.11)',
}

/** `npm ci` of a checkout: npm leaves out the native parts of Vite where its `engines` exclude the Node. */
const checkout = {
  majors: { 20: 19, 22: 12 },
  from: 23,
  text: '20.19 or newer of version 20, or 22.12 or newer',
}

/** @param {string} version such as 22.15.0 */
function suits(range, version) {
  const parts = version.split('.').map(Number)
  const least = range.majors[parts[0]]
  return least === undefined ? parts[0] >= range.from : parts[1] >= least
}

module.exports = { checkout, server, suits }
