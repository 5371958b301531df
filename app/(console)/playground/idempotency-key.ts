/** Random text. Works on plain http too, where `crypto.randomUUID` does not exist. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/**
 * Gives the same key for the same wish until it was granted, so that a double click, or a repetition after a lost
 * answer, starts one run. `granted` makes room for the same wish as a new one.
 */
export function idempotencyKeys() {
  let asked: { wish: string; key: string } | null = null
  return {
    keyFor: (wish: string): string => {
      if (asked?.wish !== wish) asked = { wish, key: newKey() }
      return asked.key
    },
    granted: (): void => {
      asked = null
    },
  }
}
