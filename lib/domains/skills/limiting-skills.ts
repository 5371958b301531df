import type { Ctx } from '@/lib/kernel/context'
import { listConfigurationSkills } from './attachments'
import { listSkills } from './reads'
import type { SkillListing } from './schemas'
import { forceOf, leavesNone, type ToolsLeft } from './shape'
import { countsHere } from './shared/skill-force'

/** A skill as it would be attached. `heldBack`: its file changed or is missing, and its last list still limits. */
export type WantedSkill = { allowedTools: string[] | null; heldBack?: boolean }

/** Returns how many tools remain for runs of this admin with these skills; without a configuration, its gates are left out. */
export type CountTools = (
  ctx: Ctx,
  configuration: string | null,
  skills: readonly WantedSkill[],
) => Promise<ToolsLeft>

/** Number of tools in one place, before and after a change of a skill. */
export type PlaceEffect = { before: ToolsLeft; after: ToolsLeft }

/** Returns what this list of tools does in each configuration and task that uses the skill, as if the skill were on. */
export type EffectsWhereUsed = (
  ctx: Ctx,
  skill: SkillListing,
  allowedTools: string[] | null,
) => Promise<PlaceEffect[]>

/** Returns whether the change ends the last tool. */
export function endsAll({ before, after }: PlaceEffect): boolean {
  return leavesNone(after) && !leavesNone(before)
}

/** Returns the skills that limit runs with a configuration, each by its id. */
export async function limitingHere(
  ctx: Ctx,
  configurationId: string,
): Promise<Map<string, WantedSkill>> {
  const skills = await listConfigurationSkills(ctx, configurationId)
  return new Map(
    skills
      .filter(({ effective, heldBack }) => effective || heldBack)
      .map((skill) => [skill.skillId, skill]),
  )
}

/** Returns a skill as it limits where it is enabled; null = it is switched off. */
export function asWanted(
  skill: Pick<SkillListing, 'allowedTools' | 'state' | 'enabled'>,
): WantedSkill | null {
  const { effective, heldBack } = countsHere(true, forceOf(skill))
  return effective || heldBack ? { allowedTools: skill.allowedTools, heldBack } : null
}

/** Returns the skills that limit runs of a task: its configuration's and its own. */
export async function limitingTask(
  ctx: Ctx,
  configurationId: string | null,
  skills: readonly { id: string; enabled: boolean }[],
): Promise<Map<string, WantedSkill>> {
  const limiting =
    configurationId === null
      ? new Map<string, WantedSkill>()
      : await limitingHere(ctx, configurationId)
  const known = new Map((await listSkills(ctx, {})).map((skill) => [skill.id, skill]))
  for (const { id } of skills.filter(({ enabled }) => enabled)) {
    const skill = known.get(id)
    const wanted = skill ? asWanted(skill) : null
    if (wanted) limiting.set(id, wanted)
  }
  return limiting
}
