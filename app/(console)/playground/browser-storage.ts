import { maxPromptCharacters } from '@/lib/shape/field-shape'

/** Returns what this browser stored; null = nothing, or it refuses its storage. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

/** Stores a text in place of the one before. One that is longer than a prompt may be is not stored. */
export function store(storage: () => Storage, key: string, value: string): void {
  try {
    if (value.length > maxPromptCharacters) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // Storage is full or forbidden. Then nothing is remembered; nothing else depends on it.
  }
}

/** Removes a stored text that is longer than a prompt may be. Returns its length; null = there was none. */
export function dropTooLong(storage: () => Storage, key: string): number | null {
  const length = readStored(storage, key)?.length ?? 0
  if (length <= maxPromptCharacters) return null
  store(storage, key, '')
  return length
}

/** The form that compares configurations, on this computer. */
export const compareKey = 'toolgate.playground.compare'
/** The prompt that is being written. It may be private, so it is stored for this tab only. */
export const promptKey = 'toolgate.playground.prompt'
/** The address at which it was typed, without the path. */
export const typedAtKey = 'toolgate.playground.prompt.at'
