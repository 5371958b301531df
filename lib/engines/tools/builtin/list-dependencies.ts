import { z } from 'zod'
import { ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const mostPackages = 300

export default defineTool({
  name: 'list_dependencies',
  description:
    'Lists the packages that this Toolgate installation was built with, by name: name, version and licence. Use it to find out ' +
    'whether a package is there and in which version, for a security notice or a question about licences; "search" finds a ' +
    `part of a name. At most ${mostPackages} a call; "total" says how many fit.`,
  group: 'system',
  parameters: z.object({
    search: z.string().max(100).optional().describe('A part of the name, such as "undici".'),
  }),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'internal-config',
  timeoutMs: 10_000,
  limits: [`${mostPackages} packages a call`],
  example: { search: 'zod' },
  execute: async ({ search = '' }, { resources }) => {
    const all = await resources.installation.packages()
    if (all === null) {
      throw new ToolError('not-known', 'This installation has no list of its packages.')
    }
    const wanted = search.trim().toLowerCase()
    const fitting = all.filter(({ name }) => name.toLowerCase().includes(wanted))
    const packages = fitting
      .slice(0, mostPackages)
      .map(({ name, version, licence }) => ({ name, version, licence }))
    const content = { total: fitting.length, shown: packages.length, packages }
    return {
      content,
      leftOut: notShown(
        content,
        ['package', 'packages'],
        `a call lists at most ${mostPackages}; give a longer part of the name`,
      ),
    }
  },
})
