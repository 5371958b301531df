import { expect } from 'vitest'
import { fieldTexts, itemTexts } from './json-slices'

/** Marks move with the end of the history. */
const marks = [',"cache_control":{"type":"ephemeral"}', ',{"cachePoint":{"type":"default"}}']

const historyFields = ['messages', 'input', 'contents']

/** Returns the text of the history in a model request's body, and the texts of all other fields by name. */
export function requestParts(body: string) {
  const fields = fieldTexts(marks.reduce((text, mark) => text.replaceAll(mark, ''), body))
  const name = historyFields.find((field) => fields.has(field))
  if (name === undefined) throw new Error(`No history in ${[...fields.keys()].join(', ')}.`)
  const history = fields.get(name) ?? ''
  fields.delete(name)
  return { history, others: Object.fromEntries(fields) }
}

/** Checks that each body repeats the one before byte for byte and only adds to its history (SPEC R15d). */
export function expectStablePrefix(bodies: readonly string[]): void {
  const sent = bodies.map(requestParts)
  for (const [index, { history, others }] of sent.entries()) {
    const next = sent[index + 1]
    if (!next) break
    expect(next.others).toEqual(others)
    expect(next.history.startsWith(`${history.slice(0, -1)},`), next.history).toBe(true)
  }
}

/** Returns the items of a history without the prompt, which wires without a field for it send first. */
export function spokenItems(history: string): { system: string[]; spoken: string[] } {
  const isSystem = (item: string) => /"role":"(?:system|developer)"/.test(item.slice(0, 60))
  const items = itemTexts(history)
  return { system: items.filter(isSystem), spoken: items.filter((item) => !isSystem(item)) }
}
