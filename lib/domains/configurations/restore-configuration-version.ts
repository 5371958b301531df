import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { parseId } from '../../kernel/parse-id'
import { parseInput } from '../../kernel/parse-input'
import { diffConfigurations, differingParts } from '../../protocol/configuration-diff'
import { ConfigurationForm } from '../../protocol/configuration-form'
import { recordAudit } from '../audit/record-audit'
import { changeConfiguration } from '../rows/configuration-history'
import { RestoreConfiguration } from './schemas'
import type { SavedConfiguration } from './update-configuration'
import { withOwnIdentifier } from './with-own-identifier'
import { writeConfiguration } from './write-configuration'

/**
 * Brings back what a configuration was as a new version, so that history only grows. What has a control and a reason
 * of its own stays as it is now: the switch, four eyes, a raised data class. NotFoundError when there is no such
 * version, ConflictError when something it names is gone or it is so already, StaleError when the configuration is not
 * at `version` any more. Admins only.
 */
export async function restoreConfigurationVersion(
  ctx: Ctx,
  configurationId: string,
  input: RestoreConfiguration,
): Promise<SavedConfiguration> {
  requireRole(ctx, 'admin')
  const id = parseId(configurationId, 'The configuration')
  const { restored, version, note } = parseInput(RestoreConfiguration, input)
  return withOwnIdentifier(() =>
    changePolicy(async (tx) => {
      const form = await readVersion(tx, id, restored)
      await requireAllThere(tx, form)
      const said = [`Version ${restored} was restored.`, note].filter(Boolean).join(' ')
      const change = { configurationId: id, version, note: said }
      const done = await changeConfiguration(tx, ctx, change, (before) =>
        writeForm(tx, id, before, form),
      )
      const { before, after } = done
      if (!done.changed)
        throw new ConflictError(`${after.name} is already the same as version ${restored}.`)
      const differences = diffConfigurations(before, after)
      await recordAudit(tx, ctx, {
        action: 'configuration.restore',
        objectType: 'configuration',
        objectId: id,
        before: { identifier: before.identifier, ...differingParts(before, differences) },
        after: { identifier: after.identifier, restored, ...differingParts(after, differences) },
        reason: note,
      })
      return { version: done.version, changed: true }
    }),
  )
}

async function readVersion(
  tx: Tx,
  configurationId: string,
  version: number,
): Promise<ConfigurationForm> {
  const row = await tx.configurationVersion.findUnique({
    where: { configurationId_version: { configurationId, version } },
    select: { data: true },
  })
  if (!row) throw new NotFoundError(`Version ${version}`)
  return ConfigurationForm.parse(row.data)
}

async function writeForm(
  tx: Tx,
  id: string,
  before: ConfigurationForm,
  form: ConfigurationForm,
): Promise<void> {
  const {
    model,
    fallbacks,
    groups,
    skills,
    enabled: _,
    fourEyes: __,
    raisedDataClass: ___,
    ...facts
  } = form
  await writeConfiguration(tx, id, before, {
    ...facts,
    modelId: model.id,
    fallbackModelIds: fallbacks.map((each) => each.id),
    groupIds: groups.map((each) => each.id),
  })
  await tx.configurationSkill.deleteMany({ where: { configurationId: id } })
  await tx.configurationSkill.createMany({
    data: skills.map((skill, position) => ({
      configurationId: id,
      skillId: skill.id,
      position,
      enabled: skill.enabled,
    })),
  })
}

/** Names everything that is gone at once, as it was called then. */
async function requireAllThere(tx: Tx, form: ConfigurationForm): Promise<void> {
  const chain = [form.model, ...form.fallbacks]
  const idsOf = (things: readonly { id: string }[]) => ({
    where: { id: { in: things.map(({ id }) => id) } },
    select: { id: true },
  })
  const models = await tx.model.findMany(idsOf(chain))
  const groups = await tx.group.findMany(idsOf(form.groups))
  const skills = await tx.skill.findMany(idsOf(form.skills))
  const there = new Set([...models, ...groups, ...skills].map(({ id }) => id))
  const missing = (kind: string, things: readonly { id: string; name: string }[]) =>
    things.filter(({ id }) => !there.has(id)).map(({ name }) => `the ${kind} ${name}`)
  const gone = [
    ...missing('model', chain),
    ...missing('group', form.groups),
    ...missing('skill', form.skills),
  ]
  if (gone.length === 0) return
  throw new ConflictError(
    `This version cannot be restored: ${gone.join(', ')} ${gone.length === 1 ? 'no longer exists' : 'no longer exist'}. Edit the configuration instead.`,
  )
}
