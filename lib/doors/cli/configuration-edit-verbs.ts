import { cloneConfiguration } from '@/lib/domains/configurations/clone-configuration'
import { deleteConfiguration } from '@/lib/domains/configurations/delete-configuration'
import { findConfiguration } from '@/lib/domains/configurations/find-configuration'
import { readConfigurationUses } from '@/lib/domains/configurations/read-configuration-uses'
import { readEditableConfiguration } from '@/lib/domains/configurations/read-editable-configuration'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/update-configuration-policy'
import { visibleText } from '@/lib/protocol/clean-text'
import {
  type ConfigurationField,
  configurationLabels,
  wordsOf,
} from '@/lib/protocol/configuration-diff'
import { policyEffect } from '@/lib/toolset/policy-effect'
import { editConfiguration } from '@/lib/toolset/save-configuration'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { type ConfigurationOptions, formOf } from './configuration-options'
import { findModelChoice } from './find-model-choice'
import { printJson, printLine, printTable } from './print'

export type EditOptions = CommonOptions &
  ConfigurationOptions & { identifier?: string; model?: string; ifVersion?: number; note?: string }
export type CloneOptions = CommonOptions & { identifier: string; name?: string }
export type ReasonOptions = CommonOptions & { reason?: string }

/** Prints everything about a configuration, and who uses it. */
export async function showConfiguration(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConfiguration(ctx, name)
  const { version, form } = await readEditableConfiguration(ctx, id)
  const usedBy = await readConfigurationUses(ctx, id)
  if (options.json) return printJson({ id, version, ...form, usedBy })
  const fields = (Object.keys(configurationLabels) as ConfigurationField[]).filter(
    (field) => field !== 'systemPrompt',
  )
  printTable(
    ['FIELD', 'VALUE'],
    [
      ['Version', String(version)],
      ...fields.map((field) => [configurationLabels[field], wordsOf(form, field)]),
      ['Used by', usedByWords(usedBy)],
    ],
  )
  if (form.systemPrompt === '') return printLine('It has no system prompt.')
  printLine('System prompt:')
  for (const line of form.systemPrompt.split('\n')) printLine(`  ${visibleText(line)}`)
}

function usedByWords(uses: Awaited<ReturnType<typeof readConfigurationUses>>): string {
  const named = (kind: string, things: { name: string }[]) =>
    things.map(({ name }) => `the ${kind} ${name}`)
  const budgets = uses.budgets.length
  return [
    `${uses.runs} ${uses.runs === 1 ? 'run' : 'runs'} in 30 days`,
    ...named('task', uses.tasks),
    ...named('approval rule', uses.rules),
    ...(budgets === 0 ? [] : [`${budgets} ${budgets === 1 ? 'budget' : 'budgets'}`]),
  ].join(', ')
}

/** Changes what is given, and says what that does to what its runs are offered. */
export async function editAndPrint(name: string, options: EditOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConfiguration(ctx, name)
  const { version, form } = await readEditableConfiguration(ctx, id)
  const given = await formOf(ctx, options)
  const { identifier, note } = options
  const modelId = options.model && (await findModelChoice(ctx, options.model)).id
  const fallbackIds = given.fallbackModelIds ?? form.fallbacks.map((model) => model.id)
  const effect = await policyEffect(ctx, id, {
    modelIds: [modelId ?? form.model.id, ...fallbackIds],
    allowedToolGroups:
      given.allowedToolGroups === undefined ? form.allowedToolGroups : given.allowedToolGroups,
  })
  const saved = await editConfiguration(ctx, id, {
    ...given,
    ...(identifier && { identifier }),
    ...(modelId && { modelId }),
    version: options.ifVersion ?? version,
    note,
  })
  if (options.json) return printJson({ id, ...saved, effect })
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
}

export async function cloneAndPrint(name: string, options: CloneOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const from = await findConfiguration(ctx, name)
  const { form } = await readEditableConfiguration(ctx, from.id)
  const { identifier, name: called = `${form.name} (copy)`.slice(0, 100) } = options
  const { id } = await cloneConfiguration(ctx, from.id, { identifier, name: called })
  if (options.json) return printJson({ id, identifier })
  printLine(`Added ${identifier} (${id}), a copy of ${from.identifier}. Only admins may use it.`)
}

export async function switchAndPrint(
  name: string,
  enabled: boolean,
  options: ReasonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, name)
  const { reason } = options
  const changed = await updateConfigurationPolicy(ctx, id, { enabled, reason })
  if (options.json) return printJson({ id, identifier, enabled, changed })
  printLine(`${identifier} is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`)
}

export async function removeAndPrint(name: string, options: ReasonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, identifier } = await findConfiguration(ctx, name)
  const { reason } = options
  await deleteConfiguration(ctx, id, { reason })
  if (options.json) return printJson({ id, identifier, deleted: true })
  printLine(`Deleted the configuration ${identifier}.`)
}
