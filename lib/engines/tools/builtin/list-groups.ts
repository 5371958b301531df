import { z } from 'zod'
import { countOf } from '@/lib/words/format'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const MAX_GROUPS = 200
const MAX_CONFIGURATIONS = 50

export default defineTool({
  name: 'list_groups',
  description:
    'Lists the groups of this Toolgate installation by name: id, name, description, number of members and the ' +
    'configurations (at most 50 names) their members may use. Use it for questions about who may use what. At most ' +
    `${MAX_GROUPS} groups; "total" says how many there are.`,
  group: 'accounts',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'internal-config',
  timeoutMs: 10_000,
  limits: [`${MAX_GROUPS} groups`, '50 configurations of a group'],
  example: {},
  execute: async (_, { resources }) => {
    const { total, groups } = await resources.listGroups(MAX_GROUPS)
    const lines = groups
      .slice(0, MAX_GROUPS)
      .map(({ id, name, description, members, configurations }) => ({
        id,
        name,
        description,
        members,
        configurations: configurations.slice(0, MAX_CONFIGURATIONS),
      }))
    const cut = groups.filter(({ configurations }) => configurations.length > MAX_CONFIGURATIONS)
    const content = { total, shown: lines.length, groups: lines }
    return {
      content,
      leftOut: [
        ...notShown(content, ['group', 'groups'], `a call lists at most ${MAX_GROUPS}`),
        ...(cut.length > 0
          ? [
              {
                what: `further configurations of ${countOf(cut.length, 'group')}`,
                why: `at most ${MAX_CONFIGURATIONS} of a group are listed`,
              },
            ]
          : []),
      ],
    }
  },
})
