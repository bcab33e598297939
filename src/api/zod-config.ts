/**
 * Zod without generated code: it would compile a parser for each object schema by `new Function`,
 * which the console's content security policy forbids, and the browser reports each attempt. The
 * entry imports this module before everything that builds a schema.
 */
import { config } from 'zod'

config({ jitless: true })
