import { z } from 'zod'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export default defineTool({
  name: 'read_asset_meta',
  description:
    'Reads what is known about one stored asset (file) by its uid: storage, path, title, media type, size in bytes, ' +
    'checksum, when it was created and last changed. It does not read the content. An asset that does not exist and ' +
    'one this user may not see give the same answer.',
  group: 'assets',
  parameters: z.object({ uid: z.string().describe("The asset's uid, a UUID.") }),
  enabledByDefault: true,
  requiresAdmin: true,
  needs: 'storage',
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [],
  example: { uid: '0198a000-0000-7000-8000-000000000001' },
  execute: async ({ uid }, { resources }) => {
    const meta = uuid.test(uid) ? await resources.readAssetMeta(uid.toLowerCase()) : null
    if (meta === null) throw new ToolError('not-found', 'Asset not found or not permitted.')
    return { content: meta }
  },
})
