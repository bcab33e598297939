export function beginInstallingForTests(): () => Promise<void>
export function installPatroni(): Promise<void>
