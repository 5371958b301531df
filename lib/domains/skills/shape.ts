import { z } from 'zod'
import { hiddenWords } from '@/lib/words/hidden-text'
import type { ImportSource, SkillListing, SkillSource, SkillState } from './schemas'
import type { SkillForce } from './shared/skill-force'

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

/** Fields of the form for adding skills, by their origin. */
export const importShape = {
  upload: {
    choice: 'A file',
    label: 'File',
    hint: 'A SKILL.md, or a zip of up to 100 (20 MiB).',
    required: 'Pick a file.',
  },
  paste: { choice: 'Text', label: 'SKILL.md', required: 'Paste the text of a SKILL.md.' },
} as const satisfies Record<ImportSource, object>

const toolsKey = 'allowed-tools'

/** Returns the keys of a front matter that are meant as `allowed-tools`: in other case, with other signs, or two letters off. */
export function toolsKeys(frontMatter: object): string[] {
  return Object.keys(frontMatter).filter((key) => isNear(key.toLowerCase().replace(/[^a-z]/g, '')))
}

type Declared = { frontMatter: object; allowedTools: string[] | null; body?: string }

/**
 * Returns what to say of hidden characters, and of keys that are written otherwise than `allowed-tools`. Versions of long ago do not
 * count these keys.
 */
export function skillWarnings({ frontMatter, allowedTools, body }: Declared): string[] {
  const hidden = hiddenWords({ ...frontMatter, ...(body !== undefined && { body }) })
  const effect =
    allowedTools === null
      ? 'limits no tools in this version, which was stored before such keys counted. Write it as allowed-tools, and add the file again.'
      : 'is read as allowed-tools, and limits tools. Write it as allowed-tools.'
  const keys = toolsKeys(frontMatter)
    .filter((key) => key !== toolsKey)
    .map((key) => `“${key}” ${effect}`)
  return hidden === null ? keys : [hidden, ...keys]
}

const nearLetters = 2

/** Returns whether these letters are at most two insertions, deletions or changes from those of the key. */
function isNear(letters: string): boolean {
  const wanted = toolsKey.replace('-', '')
  if (Math.abs(letters.length - wanted.length) > nearLetters) return false
  let row = Array.from({ length: wanted.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...letters].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= wanted.length; at++) {
      const change = (row[at - 1] ?? 0) + (letter === wanted[at - 1] ? 0 : 1)
      next.push(Math.min(change, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) <= nearLetters
}

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

/** Returns the effect of a skill. One that is held back still limits the tools (ADR 010). */
export function forceOf({ state, enabled }: Pick<SkillListing, 'state' | 'enabled'>): SkillForce {
  if (!enabled) return 'nothing'
  return state === 'on' ? 'counts' : 'limits'
}

/** Number of tools that runs are offered, and the number without skills. `name`: of the configuration; null: any. */
export const ToolsLeft = z.object({
  name: z.string().nullable(),
  left: z.int(),
  without: z.int(),
})
export type ToolsLeft = z.output<typeof ToolsLeft>

/** Returns whether the skills leave no tool of some. */
export function leavesNone({ left, without }: ToolsLeft): boolean {
  return left === 0 && without > 0
}

/** Returns "2 of 7 tools remain for Nightly." */
export function toolsLeftWords({ name, left, without }: ToolsLeft): string {
  const whose = name === null ? '' : ` for ${name}`
  if (without === 0) return `The other gates allow no tools${whose}.`
  const tools = without === 1 ? 'tool' : 'tools'
  return `${left === 0 ? 'None' : left} of ${without} ${tools} ${left === 1 ? 'remains' : 'remain'}${whose}.`
}

/** Returns what an added skill does somewhere, or where nothing uses it yet. */
export function skillEffectWords(skill: string, tools: ToolsLeft): string {
  const words = `${skill}: ${toolsLeftWords(tools)}`
  return tools.name === null && tools.without > 0
    ? words.replace(/\.$/, ' where no other skill lists tools.')
    : words
}

/** Returns the question before a skill takes the last tool. `subject`: "The skill read-logs". */
export function noToolsQuestion(subject: string, tools: ToolsLeft): string {
  return `${subject} would leave no tool: ${toolsLeftWords(tools)} Confirm that runs get no tools.`
}

/**
 * Files of an archive that were not taken: their number beside the skills, the first of their paths, and those that a
 * skill mentions, which models cannot read. `refused`: SKILL.md files with errors, each with one sentence about its
 * error.
 */
export type DroppedFiles = {
  total: number
  paths: string[]
  missed: { skill: string; path: string }[]
  refused: { path: string; reason: string }[]
  /** Errors in skills that were taken all the same, as sentences. */
  warnings: string[]
}

const shownDropped = 5

/** Returns sentences about what was not taken; none where that is nothing. */
export function droppedWords({ total, paths, missed, refused, warnings }: DroppedFiles): string[] {
  const left = refused.map(({ path, reason }) => `${path} was not taken: ${reason}`)
  const faults = [...warnings, ...left]
  if (total === 0) return faults
  const shown = paths.slice(0, shownDropped)
  const more = total - shown.length
  const rest = more > 0 ? [`${more} more`] : []
  const list = new Intl.ListFormat('en').format([...shown, ...rest])
  const were = total === 1 ? 'file was' : 'files were'
  return [
    ...faults,
    `${total} other ${were} not taken: ${list}.`,
    ...missed.map(({ skill, path }) => `${skill} mentions ${path}, which models cannot read here.`),
  ]
}
