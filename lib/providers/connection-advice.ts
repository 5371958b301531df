// Parts of advice sentences: the page and the command that put it right. Some stand after a full stop, some after "if
// it stays,", so they begin with what may stand there.

export const checkConnection =
  '`npx toolgate connection test NAME` and its page under Connections say more.'

export const checkAddress =
  'Check the base URL under Connections (or with `npx toolgate connection show NAME`).'

export const checkWire =
  'Check the wire and the base URL under Connections (or with `npx toolgate connection show NAME`).'

export const storeKey =
  '`npx toolgate key set --connection NAME` stores a new one, and so does its page under Connections.'

export const correctAddress =
  'Correct the base URL under Connections (or with `npx toolgate connection change NAME`).'

type Words = readonly (readonly [there: string, here: string])[]

const check = 'Check that the server is running and that the base URL is right.'

/** Who just tested needs no word that a test says more. */
const afterTest: Words = [
  [`; if it stays, ${checkConnection}`, `. If it stays: ${lowered(check)}`],
  [checkConnection, check],
]

/** Who is about to store a key is not told to store one. */
const withNewKey: Words = [
  [`, or use another key: ${storeKey}`, ', or use another key.'],
  [` For the key: ${storeKey}`, ' Check the key, too.'],
  [storeKey, 'Check the key, or take a new one from the provider.'],
]

/** Who fills in a form has the fields in front of them, and may have nothing stored that a command could name. */
const inForm: Words = [
  [checkAddress, 'Check the base URL.'],
  [checkWire, 'Check the wire and the base URL.'],
  [correctAddress, 'Correct the base URL.'],
  ...withNewKey,
]

/** The same advice for whoever just tested a stored connection. */
export function adviceAfterTest(advice: string): string {
  return reworded(advice, afterTest)
}

/** The same advice, after a test, for whoever gives a new key. */
export function adviceWithNewKey(advice: string): string {
  return reworded(advice, withNewKey)
}

/** The same advice, after a test, for whoever fills in a connection's form. */
export function adviceInForm(advice: string): string {
  return reworded(advice, inForm)
}

function reworded(advice: string, words: Words): string {
  return words.reduce((text, [there, here]) => text.replaceAll(there, here), advice)
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
