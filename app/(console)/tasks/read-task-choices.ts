import 'server-only'
import { listGovernedConfigurations } from '@/lib/domains/configurations/reads'
import { listSkills } from '@/lib/domains/skills/reads'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { listToolNames, type ToolName } from '@/lib/toolset/tools/tool-names'

/** Returns the choices of a task's fields. */
export async function readTaskChoices(ctx: Ctx): Promise<TaskChoices> {
  const [configurations, tools, skills] = await Promise.all([
    listGovernedConfigurations(ctx, {}),
    listToolNames(ctx),
    listSkills(ctx, {}),
  ])
  return {
    configurations: configurations.map(({ id, name, identifier, enabled }) => ({
      id,
      name,
      identifier,
      enabled,
    })),
    tools,
    skills,
  }
}

/** The choices that the form of a task offers. */
export type TaskChoices = {
  configurations: { id: string; name: string; identifier: string; enabled: boolean }[]
  tools: ToolName[]
  skills: SkillListing[]
}
