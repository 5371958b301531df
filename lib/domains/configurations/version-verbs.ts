import { changeConfiguration } from '@/lib/domains/rows/configuration-history'
import { changed, verb } from '@/lib/edge/verb'
import type { ConfigurationVersion } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type PolicyTx, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import { requireConfiguration } from './reads'
import { type ConfigurationVersionView, RestoreConfiguration, SavedConfiguration } from './schemas'
import { differenceOf, withOwnIdentifier, writeConfiguration } from './write'

const pageSize = 50

/** Returns the versions of a configuration, newest first, 50 a page. None for one without a history. Admins only. */
export async function listConfigurationVersions(
  ctx: Ctx,
  configurationId: string,
  page = 1,
): Promise<{ versions: ConfigurationVersionView[]; total: number; pageSize: number }> {
  requireRole(ctx, 'admin')
  const where = { configurationId: parseId(configurationId, 'The configuration') }
  const [rows, total] = await Promise.all([
    // One more than is shown: the last one is compared with the one before it.
    db().configurationVersion.findMany({
      where,
      orderBy: { version: 'desc' },
      skip: (page - 1) * pageSize,
      take: pageSize + 1,
    }),
    db().configurationVersion.count({ where }),
  ])
  return { versions: rows.map(toVersionView), total, pageSize }
}

/** Returns one version of a configuration. NotFoundError when there is none of that number. Admins only. */
export async function readConfigurationVersion(
  ctx: Ctx,
  configurationId: string,
  version: number,
): Promise<ConfigurationVersionView> {
  requireRole(ctx, 'admin')
  return toVersionView(
    await requireVersion(db(), parseId(configurationId, 'The configuration'), version),
  )
}

async function requireVersion(
  tx: Tx,
  configurationId: string,
  version: number,
): Promise<ConfigurationVersion> {
  const where = { configurationId_version: { configurationId, version } }
  const row = await tx.configurationVersion.findUnique({ where })
  if (!row) throw new NotFoundError(`Version ${version}`)
  return row
}

function toVersionView(row: ConfigurationVersion): ConfigurationVersionView {
  const { version, note, createdByLabel, createdAt, data } = row
  return {
    version,
    note,
    createdByLabel,
    createdAt: createdAt.toISOString(),
    form: ConfigurationForm.parse(data),
  }
}

/**
 * Restores a version. The switch, four eyes, a raised data class, what happens after untrusted reads and notes in the prompt
 * stay, because they have controls and reasons of their own. Throws NotFoundError when there is no such version, ConflictError when it names something that no longer
 * exists or changes nothing, StaleError when the configuration has another `version`.
 */
export const restoreConfigurationVersion = verb({
  name: 'configuration.restore',
  mayEndApproval: true,
  role: 'admin',
  scope: null,
  summary: 'Restores an old version as a new version, so that the history only grows.',
  input: RestoreConfiguration,
  output: SavedConfiguration,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { id: named, restored, version, note }) => {
    const { id } = await requireConfiguration(tx, named)
    const form = ConfigurationForm.parse((await requireVersion(tx, id, restored)).data)
    await requireAllThere(tx, form)
    const noted = [`Version ${restored} was restored.`, note].filter(Boolean).join(' ')
    const change = { configurationId: id, version, note: noted }
    const done = await changeConfiguration(tx, ctx, change, (before) =>
      withOwnIdentifier(() => writeForm(tx, id, before, form)),
    )
    if (!done.changed) {
      throw new ConflictError(`${done.after.name} is already the same as version ${restored}.`)
    }
    const { before, after } = differenceOf(done)
    return changed(
      { id, version: done.version, changed: true },
      { subject: id, before, after: { ...after, restored }, reason: note },
    )
  },
})

async function writeForm(
  tx: PolicyTx,
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
    afterUntrusted: ____,
    memoryInPrompt: _____,
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

/** Throws ConflictError that names everything that is gone at once, as it was called then. */
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
