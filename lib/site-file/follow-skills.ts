import type { Ctx } from '../context'
import { attachSkill } from '../skills/attach-skill'
import { detachSkill } from '../skills/detach-skill'
import { findSkill } from '../skills/find-skill'
import { listConfigurationSkills } from '../skills/list-configuration-skills'
import { moveAttachedSkill } from '../skills/move-attached-skill'
import { setAttachedSkillEnabled } from '../skills/set-attached-skill-enabled'

type Wanted = { name: string; enabled: boolean }

/**
 * Makes the skills of a configuration those that a file lists, in its order. New ones come before old ones go: at no
 * moment do fewer skills limit its tools than before or after.
 */
export async function followSkills(
  ctx: Ctx,
  configurationId: string,
  wanted: readonly Wanted[],
): Promise<void> {
  const ids: string[] = []
  for (const { name } of wanted) ids.push((await findSkill(ctx, name)).id)
  for (const skillId of ids) await attachSkill(ctx, { configurationId, skillId })
  for (const [index, skillId] of ids.entries()) {
    await setAttachedSkillEnabled(ctx, { configurationId, skillId }, wanted[index]?.enabled ?? true)
  }
  for (const { skillId } of await listConfigurationSkills(ctx, configurationId)) {
    if (!ids.includes(skillId)) await detachSkill(ctx, { configurationId, skillId })
  }
  await putInOrder(ctx, configurationId, ids)
}

async function putInOrder(
  ctx: Ctx,
  configurationId: string,
  ids: readonly string[],
): Promise<void> {
  const order = (await listConfigurationSkills(ctx, configurationId)).map(({ skillId }) => skillId)
  for (const [place, skillId] of ids.entries()) {
    for (let at = order.indexOf(skillId); at > place; at--) {
      await moveAttachedSkill(ctx, { configurationId, skillId }, 'up')
      order.splice(at - 1, 2, skillId, order[at - 1] ?? '')
    }
  }
}
