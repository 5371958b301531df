import { listModelChoices } from '@toolgate/server/domains/configurations/reads'
import type { ModelChoice } from '@toolgate/server/domains/configurations/schemas'
import type { GroupSize } from '@toolgate/server/domains/groups/reads'
import { listGroupSizes } from '@toolgate/server/domains/groups/reads'
import type { Ctx } from '@toolgate/server/kernel/context'
import { listTools } from '@toolgate/server/toolset/tools/tool-verbs'
import { groupBy } from '@/components/group-by'
import type { ToolChoices } from '../picked-tools'

/** Reads the choices of the form's fields. */
export type FormChoices = ToolChoices & { models: ModelChoice[]; groups: GroupSize[] }

export async function readFormChoices(ctx: Ctx): Promise<FormChoices> {
  const [models, groups, tools] = await Promise.all([
    listModelChoices(ctx),
    listGroupSizes(ctx),
    readToolChoices(ctx),
  ])
  return { models, groups, ...tools }
}

/** Reads the tools that can be allowed, and their groups. */
export async function readToolChoices(ctx: Ctx): Promise<ToolChoices> {
  const listed = await listTools(ctx, {})
  const tools = listed.map(({ name, group }) => ({ name, group }))
  const byGroup = groupBy(tools, ({ group }) => group)
  return {
    tools,
    toolGroups: [...byGroup].map(([name, members]) => ({ name, tools: members.length })),
  }
}
