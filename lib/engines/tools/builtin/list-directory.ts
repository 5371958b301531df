import { z } from 'zod'
import { countOf } from '@/lib/words/format'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'
import { withFolder } from '../sandbox/contained'
import { removeLeftovers } from '../sandbox/leftovers'
import { entryOf, hiddenNames, visibleNames } from '../sandbox/list-folder'
import { partsOf } from '../sandbox/workspace-path'
import { pathSchema, requireWorkspace, workspaceSchema } from '../workspace-access'

const mostEntries = 500
const mostWords = `a call lists at most ${mostEntries}`

export default defineTool({
  name: 'list_directory',
  description:
    'Lists a folder of a workspace, which is a folder of the server that is open to tools: names, kind, size in bytes and when ' +
    'each was changed. Use it to find files before you read them. Secret files, such as keys and most names that begin with a ' +
    'dot, are not listed.',
  group: 'workspace',
  parameters: z.object({
    workspace: workspaceSchema(),
    path: pathSchema(
      'A folder below the workspace, such as "docs/api". Leave it out for the workspace itself.',
    ).default(''),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  needs: 'workspace',
  effect: 'read',
  dataClass: 'source-code',
  timeoutMs: 20_000,
  limits: [`${mostEntries} entries`],
  example: { workspace: 'handbook', path: '' },
  execute: async ({ workspace, path }, { resources, signal }) => {
    const { root, isWritable } = await requireWorkspace(resources, workspace)
    return withFolder(root, partsOf(path), async (folder) => {
      if (isWritable) await removeLeftovers(folder)
      const { names, hidden, areAll } = await visibleNames(folder, signal)
      const entries = []
      for (const name of names.slice(0, mostEntries)) {
        const entry = await entryOf(folder, name)
        if (entry) entries.push(entry)
      }
      const total = areAll ? names.length : `more than ${names.length}`
      const further = { what: 'further entries', why: mostWords }
      return {
        content: { total, shown: entries.length, entries },
        leftOut: [
          ...(areAll
            ? notShown(
                { shown: Math.min(names.length, mostEntries), total: names.length },
                ['entry', 'entries'],
                mostWords,
              )
            : [further]),
          ...(hidden > 0 ? [{ what: countOf(hidden, 'entry', 'entries'), why: hiddenNames }] : []),
        ],
      }
    })
  },
})
