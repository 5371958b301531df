import { z } from 'zod'
import type { ResourceField } from '@/lib/shape/field-shape'
import { rowsPerPage, sortOrder } from '@/lib/shape/resource'
import {
  assetPathProblem,
  mostPathCharacters,
  mostTextCharacters,
  plainAlternativeText,
  plainAssetPath,
} from './asset'

/** A path of an asset in its one spelling. */
const AssetPath = z
  .string()
  .max(10 * mostPathCharacters, `A path has at most ${mostPathCharacters} characters.`)
  .overwrite(plainAssetPath)
  .superRefine((path, { addIssue }) => {
    const problem = path === '' ? 'Enter a path.' : assetPathProblem(path)
    if (problem !== null) addIssue({ code: 'custom', message: problem })
  })

const Title = z.string().trim().max(200, 'A title has at most 200 characters.')

const AlternativeText = z
  .string()
  .max(mostTextCharacters, `An alternative text has at most ${mostTextCharacters} characters.`)
  .overwrite(plainAlternativeText)

/** Fields of an asset that people may change. */
export const assetFields = {
  title: { kind: 'text', label: 'Title', optional: true, schema: Title },
  alternativeText: {
    kind: 'textarea',
    rows: 3,
    label: 'Alternative text',
    hint: `What an image shows. At most ${mostTextCharacters} characters.`,
    optional: true,
    schema: AlternativeText,
  },
  path: {
    kind: 'text',
    label: 'Path',
    hint: 'Folders and the name, with / between them, such as press/logo.png.',
    mono: true,
    required: 'Enter a path.',
    schema: AssetPath,
  },
} as const satisfies Record<string, ResourceField>

/** Words of an asset's history for its actions. */
export const assetActs = {
  upload: 'Uploaded',
  replace: 'Replaced the file',
  describe: 'A run set the alternative text',
  restore: 'Restored',
} as const

export const AssetChanges = z.object({
  path: AssetPath.optional(),
  title: Title.optional(),
  alternativeText: AlternativeText.optional(),
})

/** Fields of an upload beside the bytes. `replace`: it may replace the asset at this path. */
export const NewAsset = z.object({
  path: AssetPath,
  title: Title.optional(),
  replace: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .default(false),
})

/** An asset as people see it. `shown`: whether a browser may show it. */
export const AssetFacts = z.object({
  uid: z.string(),
  storageId: z.string(),
  path: z.string(),
  title: z.string(),
  alternativeText: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  checksum: z.string().meta({ description: 'The SHA-256 of the bytes, hexadecimal.' }),
  shown: z.boolean(),
  createdByLabel: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
})
export type AssetFacts = z.output<typeof AssetFacts>

/** Kinds of assets that a list can be narrowed by. */
export const AssetKind = z.enum(['image', 'pdf', 'text', 'other'])
export type AssetKind = z.output<typeof AssetKind>

export const assetKindWords: Record<AssetKind, string> = {
  image: 'Images',
  pdf: 'PDF',
  text: 'Texts',
  other: 'Other files',
}

const assetSorts = ['title', 'path', 'mediaType', 'bytes', 'createdAt'] as const
export type AssetSort = (typeof assetSorts)[number]
export const defaultAssetSort = 'path'

/**
 * Filters of a list of assets. `described` no: without an alternative text. `deleted` yes: those that can be restored.
 */
export const AssetFilter = z.object({
  search: z.string().trim().max(200).optional(),
  kind: AssetKind.optional(),
  described: z.enum(['no', 'yes']).optional(),
  deleted: z.enum(['no', 'yes']).optional(),
  sort: sortOrder(assetSorts, defaultAssetSort),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(rowsPerPage),
})
export type AssetFilter = z.output<typeof AssetFilter>
