/** A list that may be absent: `null` and `[]` mean different things. */
type Names = readonly string[] | null

/** What an absent and an empty list of each meaning are called. */
const meanings = {
  /** The tool groups a configuration allows. */
  toolGroups: { absent: 'all tool groups', empty: 'no tool groups' },
  /** The tools somebody picked for a run. */
  pickedTools: { absent: 'all tools', empty: 'no tools' },
  /** What a skill lists under `allowed-tools`, or what several skills grant together. */
  skillTools: { absent: 'not limited', empty: 'no tools' },
  /** The groups that may use a configuration, beside admins. */
  audience: { absent: 'not set', empty: 'admins only' },
  /** Any other list. */
  other: { absent: 'not set', empty: 'none' },
} as const satisfies Record<string, { absent: string; empty: string }>
export type ListMeaning = keyof typeof meanings

/** Returns a list as people read it: its names, or the words for an absent or an empty one. */
export function listWords(meaning: ListMeaning, names: Names, separator = ', '): string {
  if (names === null) return meanings[meaning].absent
  return names.length === 0 ? meanings[meaning].empty : names.join(separator)
}

/** The same to stand alone: words of ours begin with a capital letter, names stay as they are. */
export function listLabel(meaning: ListMeaning, names: Names): string {
  const words = listWords(meaning, names)
  return names?.length ? words : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The meaning of stored lists by the name of their field, in any object. */
const everywhere: ReadonlyMap<string, ListMeaning> = new Map([
  ['allowedToolGroups', 'toolGroups'],
  ['allowedTools', 'skillTools'],
  ['grantedBySkills', 'skillTools'],
])
/** The same for names that mean something else in other objects. */
const inObject: ReadonlyMap<string, ListMeaning> = new Map([
  ['run.tools', 'pickedTools'],
  ['configuration.groups', 'audience'],
  ['configuration.groupIds', 'audience'],
])

/** Returns what a stored list means, by the kind of its object ("run") and the name of its field. */
export function listMeaning(kind: string, field: string): ListMeaning {
  return inObject.get(`${kind}.${field}`) ?? everywhere.get(field) ?? 'other'
}
