import { createHash } from 'node:crypto'

const longestName = 64

/**
 * Returns the name of a call in a form that every API takes, because a model may have made one up (SPEC R12): letters,
 * digits, `_` and `-`, first a letter or `_`. Names of tools are unchanged.
 */
export function wireName(name: string): string {
  const legal = name.slice(0, longestName).replace(/[^\w-]/g, '_')
  return /^[a-z_]/i.test(legal) ? legal : `_${legal}`.slice(0, longestName)
}

/** Returns the id unless it is longer than `most`; then its hash, which has that many letters and digits. */
export function shortId(id: string, most: number): string {
  return id.length <= most ? id : hashOf(id, most)
}

const nineCharacters = /^[a-z0-9]{9}$/i

/** Returns the id as servers of Mistral's models take it: nine letters and digits. */
export function mistralId(id: string): string {
  return nineCharacters.test(id) ? id : hashOf(id, 9)
}

function hashOf(id: string, characters: number): string {
  return createHash('sha256').update(id).digest('hex').slice(0, characters)
}
