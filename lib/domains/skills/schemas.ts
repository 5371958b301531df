import { z } from 'zod'
import { identifierPattern, identifierRule } from '../../protocol/identifier'
import { sortOrder } from '../../protocol/sort-order'
import type { JsonValue } from '../../protocol/tool'

export const maxBodyBytes = 64 * 1024
export const maxFrontMatterBytes = 8 * 1024

/** It is a key, a file's folder and part of what models read. */
export const SkillName = z
  .string()
  .max(64, 'A name has at most 64 characters.')
  .regex(identifierPattern, `${identifierRule}, such as review-code.`)

const Json: z.ZodType<JsonValue> = z.json()
/** Every key of a front matter with its value; they were parsed when they were stored. */
export const FrontMatter = z.record(z.string(), Json)
export type FrontMatter = z.infer<typeof FrontMatter>

/**
 * What a SKILL.md says. `allowedTools` null = the key is absent (SPEC G-S). `frontMatter` holds every key, unknown
 * ones too. `checksum` is SHA-256 of the file's bytes, hexadecimal; `bytes` is their number.
 */
export type SkillFile = {
  name: string
  description: string
  allowedTools: string[] | null
  frontMatter: FrontMatter
  body: string
  checksum: string
  bytes: number
}

export const AllowedTools = z.array(z.string()).nullable()

/** The most a configuration has. */
export const maxSkills = 20

/** All the skills of a configuration, in the order they are sent. */
export const ConfigurationSkills = z.object({
  skills: z
    .array(z.object({ skillId: z.uuid(), enabled: z.boolean() }))
    .max(maxSkills, `At most ${maxSkills} skills.`)
    .refine((skills) => new Set(skills.map(({ skillId }) => skillId)).size === skills.length, {
      message: 'Name each skill once.',
    }),
  note: z.string().trim().max(500, 'A note has at most 500 characters.').default(''),
})
export type ConfigurationSkills = z.input<typeof ConfigurationSkills>

/** How SKILL.md files reach this installation by hand; the third way is the folder on disk. */
export const ImportSource = z.enum(['upload', 'paste'])
export type ImportSource = z.infer<typeof ImportSource>

/**
 * `changed`: its file on disk is not the accepted version, so it is held back until an admin accepts the difference.
 * `missing`: its file is gone or cannot be used. Only a skill that is `on` counts (SPEC G-S); of the two others, what
 * they listed last may still limit (ADR 010).
 */
export const skillStates = ['on', 'off', 'changed', 'missing'] as const
export type SkillState = (typeof skillStates)[number]
export type SkillSource = ImportSource | 'folder'

const sortKeys = ['name', 'source', 'version', 'changed'] as const
export type SkillSortKey = (typeof sortKeys)[number]
export const usualSkillSort = 'name' as const
export const SkillSort = sortOrder(sortKeys, usualSkillSort)
export type SkillSort = z.output<typeof SkillSort>

/** A skill as lists show it: what its accepted version says, and who uses it. */
export type SkillListing = {
  id: string
  name: string
  description: string
  source: SkillSource
  /** For `folder`: the file, relative to the skills folder. */
  path: string | null
  state: SkillState
  enabled: boolean
  version: number
  pendingVersion: number | null
  allowedTools: string[] | null
  bytes: number
  checksum: string
  /** ISO 8601. */
  updatedAt: string
  /** The configurations it is attached to, whether it counts there or not. */
  configurations: { id: string; name: string; identifier: string }[]
  /** The same for tasks. */
  tasks: { id: string; name: string; identifier: string }[]
}

/** One entry of a skill's history, newest first. `file` is the SKILL.md as it can be downloaded. */
export type SkillVersionView = {
  version: number
  description: string
  allowedTools: string[] | null
  frontMatter: FrontMatter
  body: string
  file: string
  checksum: string
  bytes: number
  createdByLabel: string
  /** ISO 8601. */
  createdAt: string
}
