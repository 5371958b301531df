'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { AuditReason } from '@/lib/domains/audit/audit-reason'
import { allowGroup } from '@/lib/domains/configurations/allow-group'
import { ConfigurationPolicy } from '@/lib/domains/configurations/schemas'
import { customAction } from '@/lib/kernel/action'
import { governConfiguration } from '@/lib/toolset/govern-configuration'

export const changePolicy = customAction(
  z.object({ configurationId: z.uuid(), policy: ConfigurationPolicy }),
  'admin',
  async (ctx, { configurationId, policy }) => {
    await governConfiguration(ctx, configurationId, policy)
    revalidatePath('/configurations', 'layout')
  },
)

export const changeAudience = customAction(
  z.object({
    configurationId: z.uuid(),
    groupId: z.uuid(),
    allowed: z.boolean(),
    reason: AuditReason,
  }),
  'admin',
  async (ctx, { configurationId, groupId, allowed, reason }) => {
    await allowGroup(ctx, configurationId, groupId, allowed, { reason })
    revalidatePath('/configurations', 'layout')
  },
)
