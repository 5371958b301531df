import { z } from 'zod'
import { assetPathProblem, plainAssetPath } from '@/lib/domains/storages/shared/asset'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
import { notShown, redactedParts } from '../left-out'
import { assetLine, requireStorage, shownText, storageSchema } from '../storage-access'

const mostEntries = 100

export default defineTool({
  name: 'browse_folder',
  description:
    'Lists what is directly in a folder of a storage: folders with the number of assets below each, and assets with uid, path, ' +
    'title, alternative text, media type and size in bytes. Use read_asset_meta for more about one of them.',
  group: 'assets',
  parameters: z.object({
    storage: storageSchema(),
    path: z
      .string()
      .max(5_000)
      .overwrite(plainAssetPath)
      .describe(
        'A folder of the storage, such as "press/2026". Leave it out for the storage itself.',
      )
      .default(''),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'storage',
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [`${mostEntries} entries`],
  example: { storage: 'Media', path: '' },
  execute: async ({ storage: name, path }, { resources }) => {
    const storage = await requireStorage(resources, name)
    const isPath = assetPathProblem(path) === null
    const folder = isPath ? await resources.storages.browse(storage, path, mostEntries) : null
    if (!folder) throw new ToolError('not-found', 'Folder not found or not permitted.')
    const folders = folder.folders.map(({ name, assets }) => ({ name: shownText(name), assets }))
    const assets = folder.assets.map(assetLine)
    const shown = folders.length + assets.length
    const content = { total: folder.total, shown, folders, assets }
    return {
      content,
      leftOut: [
        ...notShown(content, ['entry', 'entries'], `a call lists at most ${mostEntries}`),
        ...redactedParts(folder, { folders, assets }),
      ],
    }
  },
})
