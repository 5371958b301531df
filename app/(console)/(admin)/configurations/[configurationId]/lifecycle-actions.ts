'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { AuditReason } from '@/lib/domains/audit/audit-reason'
import { cloneConfiguration } from '@/lib/domains/configurations/clone-configuration'
import { deleteConfiguration } from '@/lib/domains/configurations/delete-configuration'
import { restoreConfigurationVersion } from '@/lib/domains/configurations/restore-configuration-version'
import { CloneConfiguration, RestoreConfiguration } from '@/lib/domains/configurations/schemas'
import { customAction } from '@/lib/kernel/action'
import { startTestRun } from '@/lib/runs/start-test-run'

const Which = z.object({ configurationId: z.uuid() })

export const cloneHere = customAction(
  CloneConfiguration.extend(Which.shape),
  'admin',
  async (ctx, { configurationId, ...names }) => {
    const copy = await cloneConfiguration(ctx, configurationId, names)
    revalidatePath('/configurations', 'layout')
    return copy
  },
)

export const deleteHere = customAction(
  Which.extend({ reason: AuditReason }),
  'admin',
  async (ctx, { configurationId, reason }) => {
    await deleteConfiguration(ctx, configurationId, { reason })
    revalidatePath('/configurations', 'layout')
  },
)

export const restoreHere = customAction(
  RestoreConfiguration.extend(Which.shape),
  'admin',
  async (ctx, { configurationId, ...input }) => {
    const saved = await restoreConfigurationVersion(ctx, configurationId, input)
    revalidatePath('/configurations', 'layout')
    return saved
  },
)

export const testHere = customAction(Which, 'admin', (ctx, { configurationId }) =>
  startTestRun(ctx, configurationId),
)
