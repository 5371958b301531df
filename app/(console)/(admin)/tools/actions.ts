'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { customAction } from '@/lib/kernel/action'
import { resetTool, switchTool } from '@/lib/toolset/switch-tool'
import { switchToolGroup } from '@/lib/toolset/switch-tool-group'

const name = z.string().min(1).max(200)
const reason = z.string().trim().max(500, 'A reason has at most 500 characters.')

export const setTool = customAction(
  z.object({ name, enabled: z.boolean(), reason }),
  'admin',
  async (ctx, input) => {
    const tool = await switchTool(ctx, input)
    revalidatePath('/tools')
    return tool
  },
)

export const resetToolToDefault = customAction(z.object({ name }), 'admin', async (ctx, input) => {
  const tool = await resetTool(ctx, input.name)
  revalidatePath('/tools')
  return tool
})

export const setGroup = customAction(
  z.object({ name, enabled: z.boolean(), reason }),
  'admin',
  async (ctx, input) => {
    await switchToolGroup(ctx, input)
    revalidatePath('/tools')
  },
)
