/** Returns what this browser stored; null = nothing, or it refuses its storage. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

export function store(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value)
  } catch {
    // Storage is full or forbidden. Then nothing is remembered; nothing else depends on it.
  }
}
