import { z } from 'zod'
import { defineTool } from '../define-tool'
import { notShown } from '../left-out'

const mostUsers = 100

export default defineTool({
  name: 'list_users_raw',
  description:
    'Everything list_users tells, and also how each person signs in: password or identity provider, which kinds of second ' +
    'factor, recovery codes left, open sessions and API keys (numbers alone), and the limits of their groups. Use it only to ' +
    `review access; otherwise prefer list_users. Never a hash, token or secret. At most ${mostUsers} accounts.`,
  group: 'accounts',
  parameters: z.object({}),
  enabledByDefault: false,
  requiresAdmin: true,
  effect: 'read',
  trusted: true,
  dataClass: 'secret-adjacent',
  timeoutMs: 10_000,
  limits: [`${mostUsers} accounts`],
  example: {},
  execute: async (_, { resources }) => {
    const { total, users } = await resources.installation.accountFacts(mostUsers)
    const lines = users.slice(0, mostUsers).map(({ signIn, groups, ...user }) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      disabled: user.disabled,
      suspendedFor: user.suspendedFor,
      createdAt: user.createdAt,
      lastSignInAt: user.lastSignInAt,
      signIn: {
        way: signIn.way,
        secondFactors: signIn.secondFactors,
        recoveryCodesLeft: signIn.recoveryCodesLeft,
        openSessions: signIn.openSessions,
        apiKeys: signIn.apiKeys,
      },
      groups: groups.map(({ name, limits }) => ({
        name,
        limits: { tools: limits.tools, toolGroups: limits.toolGroups },
      })),
    }))
    const content = { total, shown: lines.length, users: lines }
    return {
      content,
      leftOut: notShown(content, ['account', 'accounts'], `a call lists at most ${mostUsers}`),
    }
  },
})
