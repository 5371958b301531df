import { listModelChoices } from '@/lib/domains/configurations/reads'
import type { ModelChoice } from '@/lib/domains/configurations/schemas'
import type { GroupSize } from '@/lib/domains/groups/reads'
import { listGroupSizes } from '@/lib/domains/groups/reads'
import type { Ctx } from '@/lib/kernel/context'
import { listToolGroups } from '@/lib/toolset/tool-verbs'

/** Reads the choices of the form's fields. */
export type FormChoices = {
  models: ModelChoice[]
  groups: GroupSize[]
  toolGroups: { name: string; tools: number }[]
}

export async function readFormChoices(ctx: Ctx): Promise<FormChoices> {
  const [models, groups, toolGroups] = await Promise.all([
    listModelChoices(ctx),
    listGroupSizes(ctx),
    listToolGroups(ctx, {}),
  ])
  return { models, groups, toolGroups: toolGroups.map(({ name, tools }) => ({ name, tools })) }
}
