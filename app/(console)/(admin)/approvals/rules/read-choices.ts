import { listGovernedConfigurations } from '@/lib/domains/configurations/reads'
import type { Ctx } from '@/lib/kernel/context'
import { listTools } from '@/lib/toolset/tool-verbs'

/** A tool that a rule may be about. `paths` are its arguments as JSON paths. */
export type ToolChoiceOption = { name: string; group: string; paths: string[] }

/** `off`: no run can start with it now. A rule about it applies once it is on again. */
type ConfigurationChoice = { id: string; name: string; off: boolean }

/** The choices of a rule's form. */
export type RuleChoices = {
  tools: ToolChoiceOption[]
  configurations: ConfigurationChoice[]
}

export async function readChoices(ctx: Ctx): Promise<RuleChoices> {
  const [tools, configurations] = await Promise.all([
    listTools(ctx, {}),
    listGovernedConfigurations(ctx, {}),
  ])
  return {
    tools: tools.map(({ name, group, parameters }) => ({
      name,
      group,
      paths: pathsOf(parameters.properties),
    })),
    configurations: configurations.map(({ id, name, enabled, chain: [model] }) => ({
      id,
      name,
      off: !enabled || model?.enabled === false,
    })),
  }
}

function pathsOf(properties: unknown): string[] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.keys(properties)
    .filter((name) => /^[\w-]+$/.test(name))
    .map((name) => `$.${name}`)
}
