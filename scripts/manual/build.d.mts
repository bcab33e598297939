/** @param out an empty or absent directory; its files are served below /docs/ */
export function buildManual(root: string, out: string): Promise<void>
