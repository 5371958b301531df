import { allowGroup, updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { deleteModel, updateModel } from '@/lib/domains/models/verbs'
import { resetPassword, setPassword } from '@/lib/domains/users/sign-in-verbs'
import { deleteUser, updateUser } from '@/lib/domains/users/verbs'
import type { Ctx } from '@/lib/kernel/context'

/** Site of a change that takes away a right. Plain data, so that it can be sent to another process. */
export type RightsSite = {
  admin: Ctx
  userId: string
  groupId: string
  configurationId: string
  modelId: string
  connectionId: string
}

const reason = 'taken away'
const off = { enabled: false, reason }

/** Every way to take a right away from runs under way (SPEC G-R). */
export const rightsChanges = {
  'close the configuration to the group': (site: RightsSite) =>
    allowGroup(site.admin, {
      configurationId: site.configurationId,
      groupId: site.groupId,
      allowed: false,
      reason,
    }),
  'take a member out of the group': (site: RightsSite) =>
    removeGroupMember(site.admin, { groupId: site.groupId, userId: site.userId, reason }),
  'delete the group': (site: RightsSite) =>
    groupVerbs.remove(site.admin, { id: site.groupId, reason }),
  'demote an admin': (site: RightsSite) =>
    updateUser(site.admin, { userId: site.userId, role: 'member', reason }),
  'disable the account': (site: RightsSite) =>
    updateUser(site.admin, { userId: site.userId, disabled: true, reason }),
  'delete the account': (site: RightsSite) =>
    deleteUser(site.admin, { userId: site.userId, reason }),
  'disable the account for a moment': async (site: RightsSite) => {
    await updateUser(site.admin, { userId: site.userId, disabled: true, reason })
    await updateUser(site.admin, { userId: site.userId, disabled: false, reason })
  },
  'reset the password': (site: RightsSite) =>
    resetPassword(site.admin, { userId: site.userId, reason }),
  'set another password in a terminal': (site: RightsSite) =>
    setPassword(
      { ...site.admin, via: 'cli', terminalUser: 'root' },
      { userId: site.userId, password: 'violet gravel under seven moons' },
    ),
  'switch the configuration off': (site: RightsSite) =>
    updateConfigurationPolicy(site.admin, { id: site.configurationId, ...off }),
  'switch the model off': (site: RightsSite) =>
    updateModel(site.admin, { id: site.modelId, ...off }),
  'delete the model': (site: RightsSite) => deleteModel(site.admin, { id: site.modelId, reason }),
  'switch the connection off': (site: RightsSite) =>
    updateConnection(site.admin, { id: site.connectionId, ...off }),
} as const satisfies Record<string, (site: RightsSite) => Promise<unknown>>

export type RightsChange = keyof typeof rightsChanges
