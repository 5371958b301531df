import { z } from 'zod'
import {
  beginHistory,
  changeConfiguration,
  readConfigurationForm,
} from '@/lib/domains/rows/configuration-history'
import { type Change, changed, unchanged, verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx, Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import {
  ConfigurationParameters,
  defaultParameters,
  parametersIn,
  storedParameters,
} from '@/lib/protocol/parameters/parameters'
import { AllowedOverrides } from '@/lib/protocol/run/override-names'
import type { DataClass } from '@/lib/protocol/tool'
import { AllowedNames, everything } from '@/lib/protocol/tool-access'
import { countOf } from '@/lib/words/format'
import { requireConfiguration, usesOf } from './reads'
import {
  CloneConfiguration,
  type ConfigurationUses,
  CreateConfiguration,
  columnsOf,
  SavedConfiguration,
  UpdateConfiguration,
  WhichConfiguration,
} from './schemas'
import {
  differenceOf,
  namesToStore,
  requireChain,
  requireExtraBody,
  requireGroups,
  storedNames,
  withOwnIdentifier,
  writeConfiguration,
} from './write'

/** Throws ConflictError when the identifier is taken, ValidationError for a chain that no run could use. */
export const createConfiguration = verb({
  name: 'configuration.create',
  role: 'admin',
  scope: 'configurations:write',
  summary: 'Adds a configuration.',
  input: CreateConfiguration,
  output: z.object({ id: z.string() }),
  transaction: changePolicy,
  run: ({ tx, ctx }, given) => insertConfiguration(tx, ctx, given),
})

/** Writes a new configuration, the first of its history. Part of a verb's transaction. */
export async function insertConfiguration(
  tx: PolicyTx,
  ctx: Ctx,
  { note, ...given }: z.output<typeof CreateConfiguration>,
  raisedDataClass: DataClass | null = null,
): Promise<Change<{ id: string }>> {
  const { modelId, fallbackModelIds, groupIds } = given
  const parameters = { ...defaultParameters, ...parametersIn(given) }
  await requireChain(tx, { modelId, fallbackIds: fallbackModelIds, known: [] })
  await requireExtraBody(tx, [modelId, ...fallbackModelIds], parameters.extraBody)
  await requireGroups(tx, groupIds)
  const fallbacks = fallbackModelIds.map((id, position) => ({ modelId: id, position }))
  const { id } = await withOwnIdentifier(() =>
    tx.configuration.create({
      data: {
        ...columnsOf(given),
        raisedDataClass,
        parameters: storedParameters(parameters),
        ...namesToStore(everything, given),
        fallbacks: { create: fallbacks },
        groups: { create: [...new Set(groupIds)].map((groupId) => ({ groupId })) },
      },
    }),
  )
  await beginHistory(tx, ctx, id, note)
  const after = { ...given, ...(raisedDataClass && { raisedDataClass }) }
  return changed({ id }, { subject: id, after, reason: note })
}

/**
 * Updates a configuration. Active runs keep their snapshot, without tools that were removed (ADR 007). The
 * switch, four eyes and a raised data class have a verb of their own, `updateConfigurationPolicy`. Throws StaleError
 * when the configuration has another version, ConflictError when the identifier is taken.
 */
export const updateConfiguration = verb({
  name: 'configuration.update',
  mayEndApproval: true,
  role: 'admin',
  scope: 'configurations:write',
  summary: 'Changes a configuration for runs that begin after it.',
  input: UpdateConfiguration,
  output: SavedConfiguration,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { id: named, version, note, ...wanted }) => {
    const { id, identifier } = await requireConfiguration(tx, named)
    if (wanted.identifier !== undefined && wanted.identifier !== identifier)
      await refuseOtherName(tx, id, identifier)
    const change = { configurationId: id, version, note }
    const done = await changeConfiguration(tx, ctx, change, (before) =>
      withOwnIdentifier(() => writeConfiguration(tx, id, before, wanted)),
    )
    if (!done.changed) return unchanged({ id, version, changed: false })
    const saved = { id, version: done.version, changed: true }
    return changed(saved, { subject: id, ...differenceOf(done), reason: note })
  },
})

/**
 * Clones a configuration with its skills and its chain. Only admins may use the clone until a group is allowed, and a
 * raised data class is not copied, because both must be decided for it. Throws ConflictError when the identifier is
 * taken.
 */
export const cloneConfiguration = verb({
  name: 'configuration.clone',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Adds a configuration that is like another one, under a new identifier.',
  input: CloneConfiguration,
  output: z.object({ id: z.string() }),
  transaction: changePolicy,
  run: async ({ tx, ctx }, { id: named, ...names }) => {
    const { id: from } = await requireConfiguration(tx, named)
    const row = await tx.configuration.findUnique({ where: { id: from } })
    if (!row) throw new NotFoundError('The configuration')
    const { id: _, version: __, createdAt: ___, updatedAt: ____, ...facts } = row
    const { id } = await withOwnIdentifier(() =>
      tx.configuration.create({
        data: {
          ...facts,
          ...names,
          parameters: storedParameters(ConfigurationParameters.parse(row.parameters)),
          raisedDataClass: null,
          ...storedNames(AllowedNames.parse(row)),
          allowedOverrides: AllowedOverrides.parse(row.allowedOverrides),
        },
      }),
    )
    const where = { configurationId: from }
    for (const fallback of await tx.configurationFallback.findMany({ where })) {
      await tx.configurationFallback.create({ data: { ...fallback, configurationId: id } })
    }
    for (const skill of await tx.configurationSkill.findMany({ where })) {
      await tx.configurationSkill.create({ data: { ...skill, configurationId: id } })
    }
    await beginHistory(tx, ctx, id, `A copy of ${row.identifier}, version ${row.version}.`)
    const after = { ...names, copyOf: row.identifier, version: row.version }
    return changed({ id }, { subject: id, after })
  },
})

/**
 * Deletes a configuration with its history and the approval rules about it alone; past runs keep their snapshot. Throws
 * ConflictError that names the users while active runs, tasks or budgets use it.
 */
export const deleteConfiguration = verb({
  name: 'configuration.delete',
  role: 'admin',
  scope: 'configurations:write',
  summary: 'Deletes a configuration that nothing uses.',
  reason: 'optional',
  input: WhichConfiguration,
  transaction: changePolicy,
  run: ({ tx }, { id }) => removeConfiguration(tx, id),
})

/** Deletes a configuration. Throws ConflictError while something uses it. Part of a verb's transaction. */
export async function removeConfiguration(tx: PolicyTx, named: string): Promise<Change<void>> {
  // No run begins while this lock is held.
  const { id } = await requireConfiguration(tx, named)
  const form = await readConfigurationForm(tx, id)
  const uses = await usesOf(tx, id)
  refuseUsed(form.name, uses)
  await tx.configuration.delete({ where: { id } })
  const before = { ...form, approvalRules: uses.rules.map(({ name }) => name) }
  return changed(undefined, { subject: id, before })
}

/** Throws ConflictError when panels of tasks name a configuration by its identifier: they would not find it any more. */
async function refuseOtherName(tx: Tx, configurationId: string, identifier: string): Promise<void> {
  const where = { members: { some: { configurationId } } }
  const users = await tx.task.findMany({ where, select: { name: true }, take: 20 })
  if (users.length === 0) return
  const names = users.map(({ name }) => `the task ${name}`).join(', ')
  throw new ConflictError(
    `${identifier} is named by ${names}. Keep the identifier, or change the members of the tasks first.`,
    'identifier',
  )
}

function refuseUsed(name: string, { tasks, budgets, going, runners }: ConfigurationUses): void {
  const users = [
    ...(going === 0 ? [] : [`${countOf(going, 'run')} of ${runners.join(', ')}`]),
    ...tasks.map((task) => `the task ${task.name}`),
    ...budgets.map(({ window, unit }) => `a budget of ${unit.replace('_', '-')} a ${window}`),
  ]
  if (users.length === 0) return
  throw new ConflictError(
    `${name} is in use by ${users.join(', ')}. Wait for the runs to end, and change or delete the tasks and budgets first.`,
  )
}
