import { allowGroup } from '@/lib/domains/configurations/allow-group'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import type { GovernedConfiguration } from '@/lib/domains/configurations/governed-configuration'
import { readGovernedConfiguration } from '@/lib/domains/configurations/read-governed-configuration'
import { findGroup } from '@/lib/domains/groups/reads'
import type { Ctx } from '@/lib/kernel/context'
import { listMeaning, listWords } from '@/lib/protocol/format'
import type { DataClass } from '@/lib/protocol/tool'
import { configurationTrust } from '@/lib/toolset/configuration-trust'
import { governConfiguration } from '@/lib/toolset/govern-configuration'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { groupsOf } from './configuration-options'
import { printJson, printLine, printTable } from './print'

type OnOff = 'on' | 'off'

export type GovernOptions = CommonOptions & {
  configuration: string
  /** `all`, `none`, or names. */
  toolGroups?: string[]
  /** `zone` = take a raise back. */
  dataClass?: DataClass | 'zone'
  fourEyes?: OnOff
  state?: OnOff
  reason?: string
}

/** Changes what is given, and says where the configuration stands then. */
export async function governAndPrint(options: GovernOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConfiguration(ctx, options.configuration)
  const { toolGroups, dataClass, fourEyes, state, reason } = options
  await governConfiguration(ctx, id, {
    allowedToolGroups: toolGroups && groupsOf(toolGroups),
    raisedDataClass: dataClass === 'zone' ? null : dataClass,
    fourEyes: fourEyes && fourEyes === 'on',
    enabled: state && state === 'on',
    reason,
  })
  await printPolicy(ctx, id, options)
}

async function printPolicy(ctx: Ctx, id: string, { json }: CommonOptions): Promise<void> {
  const policy = policyOf(await readGovernedConfiguration(ctx, id))
  if (json) return printJson(policy)
  printTable(
    ['POLICY', 'VALUE'],
    Object.entries(policy).map(([name, value]) => [name, wordsOf(name, value)]),
  )
  if (policy.dataLimit !== policy.dataLimitOfZone) {
    printLine(`Raised: ${policy.leastTrusted} may receive ${policy.dataLimit} data.`)
  }
}

/** Returns the policy. `dataLimit` is the highest class that may be sent, `dataLimitOfZone` the one without a raise. */
function policyOf(configuration: GovernedConfiguration) {
  const { id, identifier, name, enabled, chain, raisedDataClass } = configuration
  const { least, own, limit } = configurationTrust(chain, raisedDataClass)
  return {
    id,
    identifier,
    name,
    enabled,
    groups: configuration.groups.map((group) => group.name),
    allowedToolGroups: configuration.allowedToolGroups,
    leastTrusted: least.connectionName,
    trustZone: least.zone,
    dataLimitOfZone: own,
    dataLimit: limit,
    fourEyes: configuration.fourEyes,
  }
}

function wordsOf(name: string, value: string | boolean | string[] | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  return listWords(listMeaning('configuration', name), value)
}

export type AllowOptions = CommonOptions & { configuration: string; group: string }

/** Opens a configuration to a group, or closes it. */
export async function allowAndPrint(allowed: boolean, options: AllowOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, options.configuration)
  const { id: groupId } = await findGroup(ctx, options.group)
  const changed = await allowGroup(ctx, id, groupId, allowed)
  if (options.json) return printJson({ configurationId: id, groupId, allowed, changed })
  const words = allowed ? 'may use' : 'may not use'
  printLine(`The group ${words} ${identifier}${changed ? '' : ' already'}.`)
}
