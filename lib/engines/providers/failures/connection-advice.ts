// Sentences of advice in neutral words: pages put a link beside them and the terminal a command, so neither is in them.

export const testConnection = 'Test the connection.'

export const tryAgain = 'Try again. If it fails again, test the connection.'

export const checkAddress = 'Check the base URL.'

export const checkWire = 'Check the API type and the base URL.'

export const storeKey = 'Store a new key for this connection.'

export const correctAddress = 'Correct the base URL.'

type Words = readonly (readonly [there: string, here: string])[]

/** Skips the advice to test the connection, for a person who has just tested it. */
const afterTest: Words = [
  [
    tryAgain,
    'Try again. If it fails again, check that the server is running and the base URL is right.',
  ],
  [testConnection, 'Check that the server is running and the base URL is right.'],
]

/** Skips the advice to store a key, for a person who is about to store one. */
const withNewKey: Words = [[storeKey, 'Check the key, or take a new one from the provider.']]

/** Returns the advice for a person who just tested a stored connection. */
export function adviceAfterTest(advice: string): string {
  return reworded(advice, afterTest)
}

/** Returns the advice for a person who just tested a key that is not stored yet. */
export function adviceWithNewKey(advice: string): string {
  return reworded(advice, withNewKey)
}

function reworded(advice: string, words: Words): string {
  return words.reduce((text, [there, here]) => text.replaceAll(there, here), advice)
}
