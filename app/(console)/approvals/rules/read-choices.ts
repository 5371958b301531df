import { listConfigurations } from '@/lib/configurations/list-configurations'
import type { Ctx } from '@/lib/context'
import { listTools } from '@/lib/toolset/list-tools'

/** A tool that a rule may be about. `paths` are its arguments as JSON paths. */
export type ToolChoiceOption = { name: string; group: string; paths: string[] }

/** What the form of a rule lets one pick from. */
export type RuleChoices = {
  tools: ToolChoiceOption[]
  configurations: { id: string; name: string }[]
}

export async function readChoices(ctx: Ctx): Promise<RuleChoices> {
  const [tools, configurations] = await Promise.all([listTools(ctx), listConfigurations(ctx)])
  return {
    tools: tools.map(({ name, group, parameters }) => ({
      name,
      group,
      paths: pathsOf(parameters.properties),
    })),
    configurations: configurations.map(({ id, name }) => ({ id, name })),
  }
}

function pathsOf(properties: unknown): string[] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.keys(properties)
    .filter((name) => /^[\w-]+$/.test(name))
    .map((name) => `$.${name}`)
}
