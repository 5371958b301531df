import { z } from 'zod'
import type { JsonValue } from '../protocol/tool'

export const maxBodyBytes = 64 * 1024
export const maxFrontMatterBytes = 8 * 1024

/** The same rule as for other short names that people type: it is a key, a file's folder and part of what models read. */
export const SkillName = z
  .string()
  .max(64, 'A name has at most 64 characters.')
  .regex(
    /^[a-z0-9]+([._-][a-z0-9]+)*$/,
    'A name has small letters, digits and single . _ - between them, such as review-code.',
  )

export type FrontMatter = Record<string, JsonValue>

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
