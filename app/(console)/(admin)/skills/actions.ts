'use server'
import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { acceptSkillChange } from '@/lib/domains/skills/accept-skill-change'
import { deleteSkill } from '@/lib/domains/skills/delete-skill'
import { reloadSkillFolder } from '@/lib/domains/skills/reload-skill-folder'
import { restoreSkillVersion } from '@/lib/domains/skills/restore-skill-version'
import { setSkillEnabled } from '@/lib/domains/skills/set-skill-enabled'
import { customAction } from '@/lib/kernel/action'

const skillId = z.uuid()

export const readFolderAgain = customAction(z.null(), 'admin', async (ctx) => {
  const report = await reloadSkillFolder(ctx)
  revalidatePath('/skills', 'layout')
  return report
})

export const switchSkill = customAction(
  z.object({ skillId, enabled: z.boolean() }),
  'admin',
  async (ctx, input) => {
    await setSkillEnabled(ctx, input.skillId, input.enabled)
    revalidatePath('/skills', 'layout')
  },
)

export const acceptChange = customAction(
  z.object({ skillId, checksum: z.string().length(64) }),
  'admin',
  async (ctx, input) => {
    const accepted = await acceptSkillChange(ctx, input.skillId, input.checksum)
    revalidatePath('/skills', 'layout')
    return accepted
  },
)

export const restoreVersion = customAction(
  z.object({ skillId, version: z.int().positive() }),
  'admin',
  async (ctx, input) => {
    const restored = await restoreSkillVersion(ctx, input.skillId, input.version)
    revalidatePath('/skills', 'layout')
    return restored
  },
)

export const removeSkill = customAction(z.object({ skillId }), 'admin', async (ctx, input) => {
  await deleteSkill(ctx, input.skillId)
  revalidatePath('/skills')
})
