import type { EntryOf, GivenOf, Kind } from './site-file'

const words: Record<Kind, string> = {
  connections: 'connection',
  models: 'model',
  skills: 'skill',
  configurations: 'configuration',
  tasks: 'task',
  tools: 'tool',
  toolGroups: 'tool group',
}

/** Returns the word for one object of a kind. */
export function kindWord(kind: Kind): string {
  return words[kind]
}

const keyOf: { [K in Kind]: (entry: EntryOf<K> | GivenOf<K>) => string } = {
  connections: ({ name }) => name,
  models: ({ connection, model }) => `${connection} / ${model}`,
  skills: ({ name }) => name,
  configurations: ({ identifier }) => identifier,
  tasks: ({ identifier }) => identifier,
  tools: ({ name }) => name,
  toolGroups: ({ name }) => name,
}

/** Returns the text that identifies an entry among those of its kind. People read it, too. */
export function entryKey<K extends Kind>(kind: K, entry: EntryOf<K> | GivenOf<K>): string {
  return keyOf[kind](entry)
}
