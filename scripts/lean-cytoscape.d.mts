import type { Plugin } from 'vite'

export function leanCytoscape(): Plugin
