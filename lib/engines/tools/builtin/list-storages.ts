import { z } from 'zod'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const mostStorages = 100

export default defineTool({
  name: 'list_storages',
  description:
    'Lists the storages that this user may use: places for files (assets) such as images, each with its name, the number of its ' +
    'assets and their bytes. Use it before browse_folder and search_files.',
  group: 'assets',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'storage',
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [`${mostStorages} storages`],
  example: {},
  execute: async (_args, { resources }) => {
    const usable = await resources.storages.list()
    const storages = usable
      .slice(0, mostStorages)
      .map(({ name, assets, bytes }) => ({ name, assets, bytes }))
    const content = { total: usable.length, shown: storages.length, storages }
    return {
      content,
      leftOut: notShown(content, ['storage', 'storages'], `a call lists at most ${mostStorages}`),
    }
  },
})
