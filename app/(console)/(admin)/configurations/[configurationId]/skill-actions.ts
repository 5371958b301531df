'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { attachSkill } from '@/lib/domains/skills/attach-skill'
import { detachSkill } from '@/lib/domains/skills/detach-skill'
import { moveAttachedSkill } from '@/lib/domains/skills/move-attached-skill'
import { ConfigurationSkills } from '@/lib/domains/skills/schemas'
import { setAttachedSkillEnabled } from '@/lib/domains/skills/set-attached-skill-enabled'
import { setConfigurationSkills } from '@/lib/domains/skills/set-configuration-skills'
import { customAction } from '@/lib/kernel/action'

const Attachment = z.object({ configurationId: z.uuid(), skillId: z.uuid('Pick a skill.') })

export const addSkillHere = customAction(Attachment, 'admin', async (ctx, input) => {
  await attachSkill(ctx, input)
  refresh(input)
})

export const removeSkillHere = customAction(Attachment, 'admin', async (ctx, input) => {
  await detachSkill(ctx, input)
  refresh(input)
})

export const switchSkillHere = customAction(
  Attachment.extend({ enabled: z.boolean() }),
  'admin',
  async (ctx, { enabled, ...input }) => {
    await setAttachedSkillEnabled(ctx, input, enabled)
    refresh(input)
  },
)

export const moveSkillHere = customAction(
  Attachment.extend({ direction: z.enum(['up', 'down']) }),
  'admin',
  async (ctx, { direction, ...input }) => {
    await moveAttachedSkill(ctx, input, direction)
    refresh(input)
  },
)

export const setSkillsHere = customAction(
  Attachment.pick({ configurationId: true }).extend(ConfigurationSkills.shape),
  'admin',
  async (ctx, { configurationId, ...input }) => {
    await setConfigurationSkills(ctx, configurationId, input)
    refresh({ configurationId })
  },
)

function refresh({ configurationId }: { configurationId: string }): void {
  revalidatePath(`/configurations/${configurationId}`)
}
