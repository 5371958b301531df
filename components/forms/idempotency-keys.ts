/** Returns random text. Works on plain http too, where `crypto.randomUUID` does not exist. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/**
 * Returns the same key for the same request until that request started a run, so that a double click, or a repetition
 * after a lost answer, starts one run. After `started`, the same request gets a new key.
 */
export function idempotencyKeys() {
  let requested: { request: string; key: string } | null = null
  return {
    keyFor: (request: string): string => {
      if (requested?.request !== request) requested = { request, key: newKey() }
      return requested.key
    },
    started: (): void => {
      requested = null
    },
  }
}
