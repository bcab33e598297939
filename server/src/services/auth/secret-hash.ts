import { hash } from 'node:crypto'

/** What a secret is looked up by: nearly equal secrets have nothing in common then. */
export function secretHash(value: string): string {
  return hash('sha256', value, 'base64')
}
