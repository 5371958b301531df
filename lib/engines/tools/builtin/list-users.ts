import { z } from 'zod'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const MAX_USERS = 200

export default defineTool({
  name: 'list_users',
  description:
    'Lists the accounts of this Toolgate installation by e-mail: id, e-mail, name, role, whether it is disabled, why it is suspended, ' +
    'groups, when it was created and last signed in. Use it for questions about who has access. No credentials. At ' +
    `most ${MAX_USERS} accounts; "total" says how many there are.`,
  group: 'accounts',
  parameters: z.object({}),
  enabledByDefault: true,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'internal-config',
  timeoutMs: 10_000,
  limits: [`${MAX_USERS} accounts`],
  example: {},
  execute: async (_, { resources }) => {
    const { total, users } = await resources.listUsers(MAX_USERS)
    const lines = users
      .slice(0, MAX_USERS)
      .map(
        ({ id, email, name, role, disabled, suspendedFor, groups, createdAt, lastSignInAt }) => ({
          id,
          email,
          name,
          role,
          disabled,
          suspendedFor,
          groups,
          createdAt,
          lastSignInAt,
        }),
      )
    const content = { total, shown: lines.length, users: lines }
    return {
      content,
      leftOut: notShown(content, ['account', 'accounts'], `a call lists at most ${MAX_USERS}`),
    }
  },
})
