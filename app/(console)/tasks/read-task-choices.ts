import 'server-only'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listSkills } from '@toolgate/server/domains/skills/reads'
import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import type { Ctx } from '@toolgate/server/kernel/context'
import { listToolNames, type ToolName } from '@toolgate/server/toolset/tools/tool-names'

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
