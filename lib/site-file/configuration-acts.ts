import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { findConfiguration, readEditableConfiguration } from '@/lib/domains/configurations/reads'
import type { UpdateConfiguration } from '@/lib/domains/configurations/schemas'
import { policyFields, workFields } from '@/lib/domains/configurations/shape'
import { createConfiguration, updateConfiguration } from '@/lib/domains/configurations/verbs'
import { findGroup } from '@/lib/domains/groups/reads'
import { setConfigurationSkills } from '@/lib/domains/skills/attachments'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { optionNames, pick } from '@/lib/protocol/parameters/parameters'
import { installedTools } from '@/lib/toolset/tools/installed-tools'
import { only } from './entry'
import type { EntryChange } from './handler'
import { findModelId } from './model-handler'
import { narrowerAccess } from './narrower-access'
import type { GivenOf } from './site-file'
import { findSkills } from './skill-handler'

type Given = GivenOf<'configurations'>
type Change = EntryChange<'configurations'>

/** Adds it with its limits and for no group: `openConfiguration` opens it once they are all there. */
export async function createConfigurationEntry(
  ctx: Ctx,
  given: Given,
  reason: string,
): Promise<void> {
  if (!given.name || !given.model) {
    throw new ValidationError({ name: 'A new configuration needs its name and its model.' })
  }
  const { id } = await createConfiguration(ctx, {
    ...(await factsOf(given)),
    ...pick(given, ['allowedToolGroups', 'allowedTools']),
    name: given.name,
    modelId: await findModelId(given.model.connection, given.model.model),
    identifier: given.identifier,
    note: reason,
  })
  await updateConfigurationPolicy(ctx, {
    id,
    ...pick(given, ['fourEyes', 'afterUntrusted', 'enabled']),
    reason,
  })
  if (given.skills) await writeSkills(ctx, id, given.skills, reason)
}

/** Removes the groups that may use it and the tools its runs may be offered that the file no longer names. */
export async function narrowConfiguration(
  ctx: Ctx,
  { given, changed }: Change,
  reason: string,
): Promise<void> {
  const { id } = await findConfiguration(ctx, given.identifier)
  const { form, version } = await readEditableConfiguration(ctx, { id })
  const tools = new Map((await installedTools(db())).map(({ name, group }) => [name, group]))
  const narrow = narrowerAccess(form, only(given, changed), (name) => tools.get(name))
  const { groups, allowedToolGroups, allowedTools, ...policy } = narrow
  await update(ctx, {
    id,
    ...(groups && { groupIds: groups.map((group) => group.id) }),
    ...(allowedTools && { allowedToolGroups, allowedTools }),
    version,
    note: reason,
  })
  await updateConfigurationPolicy(ctx, { id, ...policy, reason })
}

/** Writes what changes, except who may use it and what its runs may be offered. */
export async function updateConfigurationEntry(
  ctx: Ctx,
  { given, changed }: Change,
  reason: string,
): Promise<void> {
  const { id } = await findConfiguration(ctx, given.identifier)
  const facts = await factsOf(only(given, changed))
  const { version } = await readEditableConfiguration(ctx, { id })
  await update(ctx, { id, ...facts, version, note: reason })
  if (given.skills && changed.has('skills')) await writeSkills(ctx, id, given.skills, reason)
}

/** Writes who may use it and what its runs may be offered. */
export async function openConfiguration(
  ctx: Ctx,
  { given, changed }: Change,
  reason: string,
): Promise<void> {
  const { groups, allowedToolGroups, allowedTools, ...access } = only(given, changed)
  const { id } = await findConfiguration(ctx, given.identifier)
  await updateConfigurationPolicy(ctx, { id, ...pick(access, policyFields), reason })
  const groupIds = groups && (await Promise.all(groups.map((name) => findGroup(ctx, name))))
  const { version } = await readEditableConfiguration(ctx, { id })
  await update(ctx, {
    id,
    ...(groupIds && { groupIds: groupIds.map((group) => group.id) }),
    ...(allowedToolGroups !== undefined && { allowedToolGroups }),
    ...(allowedTools && { allowedTools }),
    version,
    note: reason,
  })
}

/**
 * Updates the configuration. A form without fields is skipped, because saving it would take the policy lock for
 * nothing.
 */
async function update(ctx: Ctx, change: UpdateConfiguration): Promise<void> {
  const { id: _, version: __, note: ___, ...fields } = change
  if (Object.keys(fields).length > 0) await updateConfiguration(ctx, change)
}

/** Returns the facts of a file's entry with ids in place of names. */
async function factsOf(given: Given) {
  const { model, fallbacks, costCapUsd } = given
  const options = pick(given, optionNames)
  const idOf = ({ connection, model: modelId }: { connection: string; model: string }) =>
    findModelId(connection, modelId)
  return {
    ...pick(given, ['name', 'description', ...workFields, 'costCapMode', 'allowedOverrides']),
    ...(Object.keys(options).length > 0 && { options }),
    ...(model && { modelId: await idOf(model) }),
    ...(fallbacks && { fallbackModelIds: await Promise.all(fallbacks.map(idOf)) }),
    ...(costCapUsd !== undefined && { costCapMicroUsd: costCapUsd }),
  }
}

async function writeSkills(
  ctx: Ctx,
  id: string,
  skills: NonNullable<Given['skills']>,
  note: string,
): Promise<void> {
  await setConfigurationSkills(ctx, {
    configurationId: id,
    skills: await findSkills(ctx, skills),
    note,
  })
}
