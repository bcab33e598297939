import type { Plugin } from 'vite'

export function leanMantine(): Plugin
export function withoutSpareParts(code: string, used: ReadonlySet<string>): string
export function partsNamed(texts: readonly string[]): Set<string>
