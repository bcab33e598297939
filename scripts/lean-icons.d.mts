import type { Plugin } from 'vite'

export function leanIcons(): Plugin
export function drawingOnly(code: string): string
