import { listApiKeys } from '@toolgate/server/domains/api-keys/verbs'
import { listGovernedConfigurations } from '@toolgate/server/domains/configurations/reads'
import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import { serverVerbs } from '@toolgate/server/domains/servers/verbs'
import type { Ctx } from '@toolgate/server/kernel/context'
import { listTools } from '@toolgate/server/toolset/tools/tool-verbs'
import type { Rule } from '@/lib/domains/approvals/shape'

/** A tool that a rule may be about. `paths` are its arguments as JSON paths. */
export type ToolChoiceOption = { name: string; group: string; paths: string[] }

/** `off`: no run can start with it now. A rule about it applies once it is on again. */
type ConfigurationChoice = { id: string; name: string; off: boolean }

/** `owner` is the e-mail address of whom it belongs to. */
type ApiKeyChoice = { id: string; name: string; prefix: string; owner: string }

/** The choices of a rule's form. `person`: the e-mail address of the one that the rule is about; null = none yet. */
export type RuleChoices = {
  tools: ToolChoiceOption[]
  servers: string[]
  configurations: ConfigurationChoice[]
  groups: { id: string; name: string }[]
  apiKeys: ApiKeyChoice[]
  person: string | null
}

/** Reads what a rule can name. A revoked key is a choice only of the rule that names it. */
export async function readChoices(ctx: Ctx, rule: Rule | null): Promise<RuleChoices> {
  const [tools, servers, configurations, groups, keys] = await Promise.all([
    listTools(ctx, {}),
    serverVerbs.list(ctx, { sort: 'name' }),
    listGovernedConfigurations(ctx, {}),
    listGroupNames(ctx),
    listApiKeys(ctx),
  ])
  const open = keys.filter(({ id, revokedAt }) => revokedAt === null || id === rule?.apiKey?.id)
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
    servers: servers.rows.map(({ name }) => name),
    groups,
    apiKeys: open.map(({ id, name, prefix, userEmail: owner }) => ({ id, name, prefix, owner })),
    person: rule?.person?.email ?? null,
  }
}

function pathsOf(properties: unknown): string[] {
  if (typeof properties !== 'object' || properties === null) return []
  return Object.keys(properties)
    .filter((name) => /^[\w-]+$/.test(name))
    .map((name) => `$.${name}`)
}
