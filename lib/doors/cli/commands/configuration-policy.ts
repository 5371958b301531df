import { type Command, Option } from 'commander'
import type { GovernedConfiguration } from '@/lib/domains/configurations/schemas'
import { nameList } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { AfterUntrusted } from '@/lib/protocol/flow'
import { DataClass } from '@/lib/protocol/tool'
import { listMeaning, listWords } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { groupsOf, withoutNone } from './configuration-options'

const reads = () => import('@/lib/domains/configurations/reads')

type OnOff = 'on' | 'off'
type GovernOptions = {
  configuration: string
  /** `all`, `none`, or names. */
  toolGroups?: string[]
  /** `none`, or names. */
  tools?: string[]
  /** `zone` = take a raise back. */
  dataClass?: DataClass | 'zone'
  fourEyes?: OnOff
  afterUntrusted?: AfterUntrusted
  memoryInPrompt?: OnOff
  state?: OnOff
  reason?: string
}

const governExample = `
A run is offered only tools whose data may go to the provider with the lowest trust zone in the configuration. Raise
the data class with a reason, and undo that with --data-class zone:
  toolgate configuration govern --configuration mini --data-class diagnostics --reason 'Contract of 1 May'`

/** Adds what changes who may use a configuration and what its runs may be offered. */
export function addConfigurationPolicy(configuration: Command): void {
  addAllow(configuration, 'allow', true, 'let the members of a group use a configuration')
  addAllow(configuration, 'disallow', false, 'remove the access of a group')
  command<GovernOptions>(configuration, 'govern', {
    description: 'change which tools and data a configuration allows',
    confirms: true,
    options: (made) =>
      withConfiguration(made)
        .option('--tool-groups <names>', 'allowed tool groups, or all or none', nameList)
        .option('--tools <names>', 'allowed single tools beside those groups, or none', nameList)
        .addOption(
          new Option(
            '--data-class <class>',
            'highest data class; zone = what the trust zones allow',
          ).choices([...DataClass.options, 'zone']),
        )
        .addOption(
          new Option('--four-eyes <state>', 'whether somebody else must approve calls').choices([
            'on',
            'off',
          ]),
        )
        .addOption(
          new Option(
            '--after-untrusted <what>',
            'calls that write after the run read what others can write',
          ).choices(AfterUntrusted.options),
        )
        .addOption(
          new Option(
            '--memory-in-prompt <state>',
            'whether runs begin with the notes that earlier runs left for their person',
          ).choices(['on', 'off']),
        )
        .addOption(
          new Option('--state <state>', 'whether the configuration is on').choices(['on', 'off']),
        )
        .option(
          '--reason <text>',
          'reason; required to raise the data class, to switch off the configuration or four eyes, for --after-untrusted allow and for --memory-in-prompt on',
        )
        .addHelpText('after', governExample),
    work: ({ ctx, options }) => govern(ctx, options),
  })
}

function withConfiguration(made: Command): Command {
  return made.requiredOption('--configuration <name>', 'identifier or id of the configuration')
}

function addAllow(parent: Command, name: string, allowed: boolean, description: string): void {
  command<{ configuration: string; group: string }>(parent, name, {
    description,
    confirms: true,
    options: (made) =>
      withConfiguration(made).requiredOption('--group <name>', 'name or id of the group'),
    work: async ({ ctx, options }) => {
      const { allowGroup } = await import('@/lib/domains/configurations/policy-verbs')
      const { findGroup } = await import('@/lib/domains/groups/reads')
      const { id, identifier } = await (await reads()).findConfiguration(ctx, options.configuration)
      const { id: groupId } = await findGroup(ctx, options.group)
      const changed = await allowGroup(ctx, { configurationId: id, groupId, allowed })
      const words = allowed ? 'may use' : 'may not use'
      return {
        json: { configurationId: id, groupId, allowed, changed },
        text: `The group ${words} ${identifier}${changed ? '' : ' already'}.`,
      }
    },
  })
}

/** Changes what is given, and says where the configuration stands then. */
async function govern(ctx: Ctx, options: GovernOptions) {
  const { governConfiguration } = await import('@/lib/joined-verbs')
  const { findConfiguration, readGovernedConfiguration } = await reads()
  const { id } = await findConfiguration(ctx, options.configuration)
  const { toolGroups, tools, dataClass, fourEyes, afterUntrusted, memoryInPrompt } = options
  const { state, reason } = options
  await governConfiguration(ctx, {
    id,
    allowedToolGroups: toolGroups && groupsOf(toolGroups),
    allowedTools: tools && withoutNone(tools),
    raisedDataClass: dataClass === 'zone' ? null : dataClass,
    fourEyes: fourEyes && fourEyes === 'on',
    afterUntrusted,
    memoryInPrompt: memoryInPrompt && memoryInPrompt === 'on',
    enabled: state && state === 'on',
    reason,
  })
  const policy = await policyOf(await readGovernedConfiguration(ctx, id))
  return { json: policy, text: () => printPolicy(policy) }
}

type Policy = Awaited<ReturnType<typeof policyOf>>

/** Returns the policy. `dataLimit` is the highest class that may be sent, `dataLimitOfZone` the one without a raise. */
async function policyOf(configuration: GovernedConfiguration) {
  const { configurationTrust } = await import('@/lib/toolset/policy/policy-effect')
  const { id, identifier, name, enabled, chain, raisedDataClass } = configuration
  const { least, own, limit } = configurationTrust(chain, raisedDataClass)
  return {
    id,
    identifier,
    name,
    enabled,
    groups: configuration.groups.map((group) => group.name),
    allowedToolGroups: configuration.allowedToolGroups,
    allowedTools: configuration.allowedTools,
    leastTrusted: least.connectionName,
    trustZone: least.zone,
    dataLimitOfZone: own,
    dataLimit: limit,
    fourEyes: configuration.fourEyes,
    afterUntrusted: configuration.afterUntrusted,
    memoryInPrompt: configuration.memoryInPrompt,
  }
}

function printPolicy(policy: Policy): void {
  printTable(
    ['POLICY', 'VALUE'],
    Object.entries(policy).map(([name, value]) => [name, wordsOf(name, value)]),
  )
  if (policy.dataLimit !== policy.dataLimitOfZone) {
    printLine(`Raised: ${policy.leastTrusted} may receive ${policy.dataLimit} data.`)
  }
}

function wordsOf(name: string, value: string | boolean | string[] | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  return listWords(listMeaning('configuration', name), value)
}
