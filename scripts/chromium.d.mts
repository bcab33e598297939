export function chromiumPath(): string | null
export function installChromium(): void
