import { z } from 'zod'
import { matchesSearch } from '@/lib/words/matches-search'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { assetLine, requireStorage, storageSchema } from '../storage-access'

const usual = 20
const most = 50
/** Maximum matches that are read. Text inside a secret is not shown, so it is not found either. */
const mostLookedAt = 500

export default defineTool({
  name: 'search_files',
  description:
    'Finds assets (files such as images) of the storages that this user may use by words in their title, path, alternative text or ' +
    'media type; each word must stand in one of them. It does not search what is in the files. Use more words when others fit, too.',
  group: 'assets',
  parameters: z.object({
    text: z.string().min(1).max(200).describe('The words to find; case does not matter.'),
    storage: storageSchema().optional(),
    limit: z.int().min(1).max(most).default(usual).describe('How many assets.'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'storage',
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [`${usual} assets, ${most} when asked for`],
  example: { text: 'logo' },
  execute: async ({ text, storage: name, limit }, { resources }) => {
    const storage = name === undefined ? null : await requireStorage(resources, name)
    const words = text.split(/\s+/).filter((word) => word !== '')
    const found = await resources.storages.search({ storage, words, most: mostLookedAt })
    const fitting = found
      .map((asset) => ({ asset, line: assetLine(asset) }))
      .filter(({ line }) => matchesSearch(text.trim(), textsOf(line)))
    const shown = fitting.slice(0, limit)
    const assets = shown.map(({ line }) => line)
    const leftOut = [
      ...(fitting.length > limit
        ? [{ what: 'assets that fit, too', why: `this call asked for ${limit}; use more words` }]
        : []),
      ...(found.length === mostLookedAt
        ? [{ what: 'assets after the first 500 with these words', why: 'a search looks at 500' }]
        : []),
      ...redactedParts(
        shown.map(({ asset }) => asset),
        assets,
      ),
    ]
    return { content: { shown: assets.length, assets }, leftOut }
  },
})

function textsOf({ title, path, alternativeText, mediaType }: ReturnType<typeof assetLine>) {
  return [title, path, alternativeText, mediaType]
}
