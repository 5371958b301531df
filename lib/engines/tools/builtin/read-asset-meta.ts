import { z } from 'zod'
import { defineTool } from '../define-tool'
import { redactedParts } from '../left-out'
import { assetUid, notPermitted, shownAsset, uidSchema } from '../storage-access'

export default defineTool({
  name: 'read_asset_meta',
  description:
    'Reads what is known about one stored asset (file) by its uid: storage, path, title, alternative text, media type, size in bytes, ' +
    'pixels of an image, checksum, when it was created and last changed. It does not read the content. An asset that does not exist ' +
    'and one this user may not see give the same answer.',
  group: 'assets',
  parameters: z.object({ uid: uidSchema() }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'storage',
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [],
  example: { uid: '0198a000-0000-7000-8000-000000000001' },
  execute: async ({ uid }, { resources }) => {
    const meta = await resources.storages.readMeta(assetUid(uid))
    if (meta === null) throw notPermitted()
    const content = shownAsset(meta)
    return { content, leftOut: redactedParts(meta, content) }
  },
})
