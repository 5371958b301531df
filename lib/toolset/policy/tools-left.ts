import 'server-only'
import { readAnyConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { listConfigurationSkills } from '@/lib/domains/skills/attachments'
import { listSkills } from '@/lib/domains/skills/reads'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { forceOf, type ToolsLeft } from '@/lib/domains/skills/shape'
import { countsHere } from '@/lib/domains/skills/shared/skill-force'
import { isGranted } from '@/lib/domains/skills/shared/skill-names'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import { grantedBySkills, type Subject } from '@/lib/engines/runtime/policy/subject'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { toolsByName } from '@/lib/toolset/tools/installed-tools'
import { loadSubject } from './load-subject'

/** A skill as it would be attached. `heldBack`: its file changed or is missing, and its last list still limits. */
export type WantedSkill = { allowedTools: string[] | null; heldBack?: boolean }

/**
 * Returns how many tools remain for runs of this admin with these skills, of those that the other gates allow. A freeze
 * does not count, because it ends. Without a configuration, the gates about it are not asked.
 */
export async function toolsLeft(
  ctx: Ctx,
  configuration: string | null,
  skills: readonly WantedSkill[],
): Promise<ToolsLeft> {
  const snapshot =
    configuration === null ? null : await readAnyConfiguration(db(), ctx, configuration)
  const asked = { userId: ctx.actor.userId, apiKeyId: null, snapshot, selected: null }
  const subject = { ...(await loadSubject(db(), asked)), frozen: null }
  const tools = [...(await toolsByName(db())).values()]
  const allowed = tools.filter((tool) => decideTool(tool, withoutSkills(subject)).allowed)
  const granted = grantedBySkills(skills)
  const left = granted === null ? allowed : allowed.filter(({ name }) => isGranted(granted, name))
  return {
    name: snapshot?.configurationName ?? null,
    left: left.length,
    without: allowed.length,
  }
}

function withoutSkills(subject: Subject): Subject {
  const { configuration } = subject
  return {
    ...subject,
    configuration: configuration && { ...configuration, closed: null, grantedBySkills: null },
  }
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
