import type { Command } from 'commander'
import type { ConfigurationListing, ConfigurationUses } from '@/lib/domains/configurations/schemas'
import {
  configurationFields,
  labelOf,
  wordsOf,
} from '@/lib/domains/configurations/shared/configuration-differences'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import type { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { changedNames } from '@/lib/protocol/tool-access'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'
import { addConfigurationHistory } from './configuration-history'
import {
  addFormOptions,
  addModelOptions,
  type ConfigurationOptions,
  findModelChoice,
  findOrCreateModel,
  formOf,
  type ModelOptions,
  named,
} from './configuration-options'
import { addConfigurationPolicy } from './configuration-policy'

const reads = () => import('@/lib/domains/configurations/reads')
const verbs = () => import('@/lib/domains/configurations/verbs')
const saving = () => import('@/lib/joined-verbs')

const addExample = `
If the connection does not have the model yet, it is added; the options from --display-name on describe it. If you leave
out a price, it is unknown, and the cost of runs shows as unpriced.

Example:
  toolgate configuration add --connection OpenAI --model gpt-5.4-mini --identifier mini --name 'GPT-5.4 mini' \\
    --input-price 0.75 --output-price 4.50`

const editExample = `
Options you leave out keep their value. The word default sets a parameter back to the model's own default. Active runs
keep the settings they started with.

Example:
  toolgate configuration edit mini --temperature 0.2 --fallbacks 'Ollama/qwen3:8b' --cost-cap 0.05 --note 'Cheaper'`

type AddOptions = ModelOptions & ConfigurationOptions & { identifier: string; name: string }
type EditOptions = ConfigurationOptions & {
  identifier?: string
  model?: string
  ifVersion?: number
  note?: string
}

export function addConfigurationCommands(program: Command): void {
  const configuration = program
    .command('configuration')
    .description('what people pick for a run: a model with prompt, limits and tools')
  command(configuration, 'list', {
    description: 'list the configurations that the account may use',
    work: async ({ ctx }) => {
      const { listConfigurations } = await import('@/lib/domains/configurations/usable')
      const configurations = await listConfigurations(ctx)
      return { json: configurations, text: () => printConfigurations(configurations) }
    },
  })
  command<AddOptions>(configuration, 'add', {
    description: 'add a configuration, and its model if it is new',
    options: (made) => {
      made
        .requiredOption('--connection <name>', 'name or id of the connection')
        .requiredOption('--model <id>', "the provider's own id of the model")
        .requiredOption('--identifier <name>', 'identifier for commands and the API')
        .requiredOption('--name <name>', 'name shown to people')
      return addModelOptions(addFormOptions(made)).addHelpText('after', addExample)
    },
    work: async ({ ctx, options }) => {
      const { identifier, name } = options
      const form = await formOf(ctx, options)
      const modelId = await findOrCreateModel(ctx, options)
      const { addConfiguration } = await saving()
      const { id } = await addConfiguration(ctx, { ...form, identifier, name, modelId })
      return {
        json: { id, identifier, modelId },
        text: `Added the configuration ${identifier} (${id}).`,
      }
    },
  })
  addConfigurationPolicy(configuration)
  addChanges(configuration)
  addConfigurationHistory(configuration)
}

function printConfigurations(configurations: readonly ConfigurationListing[]): void {
  printTable(
    ['IDENTIFIER', 'NAME', 'CONNECTION', 'MODEL', 'TRUST ZONE', 'ROUNDS'],
    configurations.map(({ identifier, name, connectionName, modelId, leastTrusted, maxRounds }) => [
      identifier,
      name,
      connectionName,
      modelId,
      leastTrusted.zone,
      String(maxRounds),
    ]),
  )
  for (const { identifier, fault } of configurations) {
    if (fault !== null) printLine(`${identifier} cannot run. ${fault}`)
  }
}

function addChanges(configuration: Command): void {
  command(configuration, 'show', {
    description: 'show a configuration and what uses it',
    args: named,
    work: async ({ ctx, args: [name = ''] }) => {
      const { readConfigurationUses, readEditableConfiguration } = await reads()
      const { id, version, form } = await readEditableConfiguration(ctx, { id: name })
      const usedBy = await readConfigurationUses(ctx, id)
      return {
        json: { id, version, ...form, usedBy },
        text: () => printConfiguration(version, form, usedBy),
      }
    },
  })
  command<EditOptions>(configuration, 'edit', {
    confirms: true,
    description: 'change a configuration, for runs that start from now on',
    args: named,
    options: (made) => {
      made
        .option('--identifier <name>', 'new identifier; the old one stops working')
        .option('--name <name>', 'new name shown to people')
        .option('--model <model>', 'new model, as CONNECTION/MODEL')
        .option(
          '--if-version <number>',
          'fail unless the configuration is at this version',
          wholeNumber(1, 1_000_000_000),
        )
        .option('--note <text>', 'note for its history')
      return addFormOptions(made).addHelpText('after', editExample)
    },
    work: ({ ctx, args: [name = ''], options }) => edit(ctx, name, options),
  })
  command<{ identifier: string; name?: string }>(configuration, 'clone', {
    description: 'copy a configuration; only admins may use the copy',
    args: named,
    confirms: true,
    options: (made) =>
      made
        .requiredOption('--identifier <name>', 'identifier of the copy')
        .option('--name <name>', 'name of the copy, shown to people'),
    work: async ({ ctx, args: [from = ''], options }) => {
      const { form } = await (await reads()).readEditableConfiguration(ctx, { id: from })
      const { identifier, name = `${form.name} (copy)`.slice(0, 100) } = options
      const { cloneConfiguration } = await verbs()
      const { id } = await cloneConfiguration(ctx, { id: from, identifier, name })
      const text = `Added ${identifier} (${id}), a copy of ${form.identifier}. Only admins may use it.`
      return { json: { id, identifier }, text }
    },
  })
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    command<{ reason?: string }>(configuration, verb, {
      description: `switch a configuration ${enabled ? 'on' : 'off; its active runs end'}`,
      args: named,
      options: (made) => made.option('--reason <text>', enabled ? 'reason' : 'reason (required)'),
      work: async ({ ctx, args: [name = ''], options: { reason } }) => {
        const { id, identifier } = await (await reads()).findConfiguration(ctx, name)
        const { governConfiguration } = await saving()
        const changed = await governConfiguration(ctx, { id, enabled, reason })
        return {
          json: { id, identifier, enabled, changed },
          text: `${identifier} is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`,
        }
      },
    })
  }
  command(configuration, 'delete', {
    description: 'delete an unused configuration and its history; past runs stay',
    alias: 'remove',
    args: named,
    reason: true,
    work: async ({ ctx, args: [name = ''], options: { reason } }) => {
      const { id, identifier } = await (await reads()).findConfiguration(ctx, name)
      await (await verbs()).deleteConfiguration(ctx, { id, reason })
      return {
        json: { id, identifier, deleted: true },
        text: `Deleted the configuration ${identifier}.`,
      }
    },
  })
}

function printConfiguration(
  version: number,
  form: ConfigurationForm,
  usedBy: ConfigurationUses,
): void {
  const fields = configurationFields.filter((field) => field !== 'systemPrompt')
  printTable(
    ['FIELD', 'VALUE'],
    [
      ['Version', String(version)],
      ...fields.map((field) => [labelOf(field), wordsOf(form, field)]),
      ['Used by', usedByWords(usedBy)],
    ],
  )
  const lines = form.systemPrompt === '' ? [] : form.systemPrompt.split('\n')
  printLine(lines.length === 0 ? 'It has no system prompt.' : 'System prompt:')
  for (const line of lines) printLine(`  ${visibleText(line)}`)
}

function usedByWords({ runs, tasks, rules, budgets }: ConfigurationUses): string {
  return [
    `${countOf(runs, 'run')} in 30 days`,
    ...tasks.map(({ name }) => `the task ${name}`),
    ...rules.map(({ name }) => `the rule ${name}`),
    ...(budgets.length === 0 ? [] : [countOf(budgets.length, 'budget')]),
  ].join(', ')
}

/** Changes what is given, and says what that does to what its runs are offered. */
async function edit(ctx: Ctx, name: string, options: EditOptions) {
  const { policyEffect } = await import('@/lib/toolset/policy/policy-effect')
  const { id, version, form } = await (await reads()).readEditableConfiguration(ctx, { id: name })
  const given = await formOf(ctx, options)
  const { identifier, note } = options
  const modelId = options.model && (await findModelChoice(ctx, options.model)).id
  const fallbackIds = given.fallbackModelIds ?? form.fallbacks.map((model) => model.id)
  const effect = await policyEffect(ctx, {
    id,
    modelIds: [modelId ?? form.model.id, ...fallbackIds],
    ...changedNames(form, given),
  })
  const saved = await (await saving()).editConfiguration(ctx, {
    ...given,
    ...(identifier && { identifier }),
    ...(modelId && { modelId }),
    id,
    version: options.ifVersion ?? version,
    note,
  })
  return {
    json: { ...saved, effect },
    text: () => {
      if (!saved.changed) return printLine(`${form.identifier} did not change.`)
      printLine(`${identifier ?? form.identifier} is now version ${saved.version}.`)
      if (!effect) return
      if (effect.opens.length > 0) printLine(`Newly allowed tools: ${effect.opens.join(', ')}.`)
      if (effect.closes.length > 0) printLine(`No longer allowed: ${effect.closes.join(', ')}.`)
      if (effect.raiseLost) {
        printLine(
          `The data class was raised to ${effect.raiseLost} for other providers. This raise was removed; raise it again if it should apply to these providers.`,
        )
      }
    },
  }
}
