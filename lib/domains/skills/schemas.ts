import { z } from 'zod'
import type { JsonValue } from '@/lib/protocol/tool'
import { identifierPattern, identifierRule } from '@/lib/shape/identifier'
import { sortOrder } from '@/lib/shape/resource'

export const maxBodyBytes = 256 * 1024
export const maxBodyWords = `${maxBodyBytes / 1024} KiB`
export const maxFrontMatterBytes = 8 * 1024

/** A name is a key, the folder of a file and part of what models read. */
export const SkillName = z
  .string()
  .max(64, 'A name has at most 64 characters.')
  .regex(identifierPattern, `${identifierRule}, such as review-code.`)

const Json: z.ZodType<JsonValue> = z.json()
/** Every key of a front matter with its value; they were parsed when they were stored. */
export const FrontMatter = z.record(z.string(), Json)
export type FrontMatter = z.infer<typeof FrontMatter>

export const AllowedTools = z.array(z.string()).nullable()

/**
 * Contents of a SKILL.md. `allowedTools` null: the key is absent (SPEC G-S). `frontMatter` holds every key, unknown
 * ones too. `checksum` is SHA-256 of the file's bytes, hexadecimal; `bytes` is their number.
 */
export const SkillFile = z.object({
  name: SkillName,
  description: z.string(),
  allowedTools: AllowedTools,
  frontMatter: FrontMatter,
  body: z.string(),
  checksum: z.string(),
  bytes: z.number(),
})
export type SkillFile = z.output<typeof SkillFile>

/** The maximum number of skills of a configuration. */
export const maxSkills = 20

/** Ways of adding SKILL.md files by hand; the third way is the folder on disk. */
export const ImportSource = z.enum(['upload', 'paste'])
export type ImportSource = z.infer<typeof ImportSource>

/**
 * `changed`: the file on disk differs from the accepted version, and the skill is held back until an admin accepts it.
 * `missing`: the file does not exist or cannot be used. Only a skill that is `on` counts (SPEC G-S); `changed` and
 * `missing` ones still limit the tools by their last accepted list (ADR 010).
 */
export const SkillState = z.enum(['on', 'off', 'changed', 'missing'])
export type SkillState = z.output<typeof SkillState>
export const SkillSource = z.enum([...ImportSource.options, 'folder'])
export type SkillSource = z.output<typeof SkillSource>

const sortKeys = ['name', 'source', 'version', 'changed'] as const
export type SkillSortKey = (typeof sortKeys)[number]
export const defaultSkillSort = 'name' as const
export const SkillSort = sortOrder(sortKeys, defaultSkillSort)
export type SkillSort = z.output<typeof SkillSort>

const Place = z.object({ id: z.string(), name: z.string(), identifier: z.string() })

/**
 * A skill as lists show it: what its accepted version says, and the configurations and tasks it is attached to, whether
 * it counts there or not. `path`: of a file in the skills folder, relative to it. `updatedAt`: ISO 8601.
 */
export const SkillListing = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  source: SkillSource,
  path: z.string().nullable(),
  state: SkillState,
  enabled: z.boolean(),
  version: z.number(),
  pendingVersion: z.number().nullable(),
  allowedTools: AllowedTools,
  bytes: z.number(),
  checksum: z.string(),
  updatedAt: z.string(),
  configurations: z.array(Place),
  tasks: z.array(Place),
})
export type SkillListing = z.output<typeof SkillListing>

/** One entry of a skill's history. `file` is the SKILL.md as it can be downloaded. `createdAt`: ISO 8601. */
export const SkillVersionView = z.object({
  version: z.number(),
  description: z.string(),
  allowedTools: AllowedTools,
  // Parsed when it was stored.
  frontMatter: z.record(z.string(), z.custom<JsonValue>()),
  body: z.string(),
  file: z.string(),
  checksum: z.string(),
  bytes: z.number(),
  createdByLabel: z.string(),
  createdAt: z.string(),
})
export type SkillVersionView = z.output<typeof SkillVersionView>

/** `history` is newest first; a version that waits to be accepted is its first. */
export const SkillDetail = SkillListing.extend({ history: z.array(SkillVersionView) })
export type SkillDetail = z.output<typeof SkillDetail>

/**
 * Result of a change. `limitGone` names the objects for which no skill lists tools any more (SPEC G-S): configurations
 * by their identifier, tasks as "task IDENTIFIER".
 */
export const SkillChange = z.object({ changed: z.boolean(), limitGone: z.array(z.string()) })
export type SkillChange = z.output<typeof SkillChange>
