import type { ImportSource, SkillSource, SkillState } from './schemas'

export const skillSourceWords: Record<SkillSource, string> = {
  upload: 'Upload',
  paste: 'Pasted',
  folder: 'Folder',
}

export const skillStateWords: Record<SkillState, string> = {
  on: 'On',
  off: 'Off',
  changed: 'Changed on disk',
  missing: 'File missing',
}

/** What is asked for where skills are added, by where they come from. */
export const importShape = {
  upload: {
    choice: 'A file',
    label: 'File',
    hint: 'A SKILL.md, or a zip archive with one or more of them (up to 100 entries and 5 MiB). Other files in it are ignored.',
    required: 'Pick a file.',
  },
  paste: { choice: 'Text', label: 'SKILL.md', required: 'Paste the text of a SKILL.md.' },
} as const satisfies Record<ImportSource, object>

const first = ['name', 'description', 'allowed-tools']

/**
 * Compares keys of a front matter for writing and showing them: keys that Toolgate uses first, then the others by name.
 * The order of the file is not known, because the database orders the keys of JSON itself.
 */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  return rank(a) - rank(b) || (a < b ? -1 : 1)
}

function rank(key: string): number {
  const at = first.indexOf(key)
  return at === -1 ? first.length : at
}

/** A skill where it is attached: whether it counts there, or what it listed last still limits. */
type Limit = {
  skillId: string
  effective: boolean
  heldBack: boolean
  allowedTools: string[] | null
}

/** Returns whether of several skills this one alone limits tools: without it nothing narrows (SPEC G-S, ADR 010). */
export function isLastLimit(skills: readonly Limit[], skillId: string): boolean {
  const limits = skills.filter(
    ({ effective, heldBack, allowedTools }) => (effective || heldBack) && allowedTools !== null,
  )
  return limits.length === 1 && limits[0]?.skillId === skillId
}
