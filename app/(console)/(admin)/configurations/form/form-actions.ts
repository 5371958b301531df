'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { CreateConfiguration, UpdateConfiguration } from '@/lib/domains/configurations/schemas'
import { customAction } from '@/lib/kernel/action'
import { policyEffect } from '@/lib/toolset/policy-effect'
import { addConfiguration, editConfiguration } from '@/lib/toolset/save-configuration'

export const saveNew = customAction(CreateConfiguration, 'admin', async (ctx, input) => {
  const { id } = await addConfiguration(ctx, input)
  revalidatePath('/configurations')
  return { id }
})

export const saveChanges = customAction(
  UpdateConfiguration.extend({ configurationId: z.uuid() }),
  'admin',
  async (ctx, { configurationId, ...input }) => {
    const saved = await editConfiguration(ctx, configurationId, input)
    revalidatePath('/configurations', 'layout')
    return { id: configurationId, ...saved }
  },
)

/** Reads the stored configuration again, after a save found that it changed. */
export const readNow = customAction(
  z.object({ configurationId: z.uuid() }),
  'admin',
  (ctx, { configurationId }) => readEditableConfiguration(ctx, configurationId),
)

export const previewPolicy = customAction(
  z.object({
    configurationId: z.uuid().nullable(),
    modelIds: z.array(z.string().max(100)).max(10),
    allowedToolGroups: z.array(z.string().max(100)).max(100).nullable(),
  }),
  'admin',
  (ctx, { configurationId, ...wanted }) => policyEffect(ctx, configurationId, wanted),
)
