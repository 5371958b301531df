export function noteServer(pid: number | undefined): () => void
export function requireNoServer(): void
