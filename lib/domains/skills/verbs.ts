import { z } from 'zod'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { withLimitsGone } from './limits'
import { requireSkill } from './reads'
import { AllowedTools, FrontMatter, SkillChange, type SkillFile } from './schemas'

/** Every skill is named by its id or its name. */
const OneSkill = z.object({ id: z.string() })
const Named = z.object({ id: z.string(), name: z.string() })

/**
 * Switches a skill. Active runs keep what they were sent; what they may call can only become less (SPEC G-X). Throws
 * NotFoundError when there is no such skill.
 */
export const setSkillEnabled = verb({
  name: 'skill.switch',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary: 'Switches a skill wherever it is attached.',
  input: OneSkill.extend({ enabled: z.boolean('Give true or false.') }),
  output: Named.extend({ enabled: z.boolean(), ...SkillChange.shape }),
  audits: ['skill.switch-on', 'skill.switch-off'],
  transaction: changePolicy,
  run: async ({ tx }, { id: idOrName, enabled }) => {
    const { id, name } = await requireSkill(tx, idOrName)
    const { output, changes } = await withLimitsGone(tx, id, async () => {
      const where = { id, enabled: !enabled }
      const { count } = await tx.skill.updateMany({ where, data: { enabled } })
      if (count === 0) return unchanged(undefined)
      return changed(undefined, {
        action: enabled ? ('skill.switch-on' as const) : ('skill.switch-off' as const),
        subject: id,
        before: { name, enabled: !enabled },
        after: { name, enabled },
      })
    })
    return { output: { id, name, enabled, ...output }, changes }
  },
})

/**
 * Accepts the changed file of a skill. `checksum` is that of the text the admin saw. Throws ConflictError when the file
 * changed again, or no change waits.
 */
export const acceptSkillChange = verb({
  name: 'skill.accept-change',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary: 'Accepts the waiting version of a skill whose file changed, so that it is used again.',
  input: OneSkill.extend({
    checksum: z.string().regex(/^[0-9a-f]{64}$/, 'A checksum is 64 hexadecimal digits.'),
  }),
  output: Named.extend({ version: z.number() }),
  transaction: changePolicy,
  run: async ({ tx }, { id: idOrName, checksum }) => {
    const { id, name, version, pendingVersion } = await requireSkill(tx, idOrName)
    if (pendingVersion === null) throw new ConflictError(`${name} has no change to accept.`)
    const after = await factsOf(tx, id, name, pendingVersion)
    if (after.checksum !== checksum) {
      throw new ConflictError(`The file of ${name} changed again. Review the new changes first.`)
    }
    await tx.skill.update({
      where: { id },
      data: { version: pendingVersion, pendingVersion: null },
    })
    const before = await factsOf(tx, id, name, version)
    return changed({ id, name, version: pendingVersion }, { subject: id, before, after })
  },
})

async function factsOf(tx: Tx, skillId: string, name: string, version: number) {
  const row = await tx.skillVersion.findUniqueOrThrow({
    where: { skillId_version: { skillId, version } },
    select: { checksum: true, bytes: true, allowedTools: true },
  })
  return versionFacts(version, { ...row, name, allowedTools: AllowedTools.parse(row.allowedTools) })
}

/**
 * Restores a version as a new one. Throws NotFoundError when there is no such version, ConflictError when it is the
 * current one or the skill is from the folder.
 */
export const restoreSkillVersion = verb({
  name: 'skill.restore',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Restores an old version of a skill as a new version.',
  input: OneSkill.extend({ version: z.int().positive() }),
  output: Named.extend({
    restored: z.number(),
    version: z.number(),
    limitGone: SkillChange.shape.limitGone,
  }),
  transaction: changePolicy,
  run: async ({ ctx, tx }, { id: idOrName, version }) => {
    const skill = await requireSkill(tx, idOrName)
    const { id, name } = skill
    if (skill.source === 'folder') {
      throw new ConflictError(`${name} comes from the skills folder. Restore the old file there.`)
    }
    const key = { skillId: id, version }
    const old = await tx.skillVersion.findUnique({ where: { skillId_version: key } })
    if (!old) throw new NotFoundError(`Version ${version}`)
    if (version === skill.version)
      throw new ConflictError(`${name} is already at version ${version}.`)
    const next = skill.version + 1
    const { output, changes } = await withLimitsGone(tx, id, async () => {
      const file = {
        ...old,
        name,
        allowedTools: AllowedTools.parse(old.allowedTools),
        frontMatter: FrontMatter.parse(old.frontMatter),
      }
      await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, next, file) } })
      await tx.skill.update({ where: { id }, data: { version: next } })
      return changed(undefined, {
        subject: id,
        before: { name, version: skill.version },
        after: { ...versionFacts(next, file), restored: version },
      })
    })
    const { limitGone } = output
    return { output: { id, name, restored: version, version: next, limitGone }, changes }
  },
})

/**
 * Deletes a skill with its history; runs keep what they were sent. Throws ConflictError while configurations or tasks
 * use it, which it names, and while its file is in the folder, from where it would be added again.
 */
export const deleteSkill = verb({
  name: 'skill.delete',
  mayBreakCases: true,
  role: 'admin',
  scope: null,
  summary: 'Deletes a skill that nothing uses, with its versions.',
  input: OneSkill,
  output: Named,
  transaction: changePolicy,
  run: async ({ tx }, input) => {
    const { id, name, source, orphanedAt, version } = await requireSkill(tx, input.id)
    const names = await namesOfUsers(tx, id)
    if (names.length > 0) {
      throw new ConflictError(`${name} is used by ${names.join(', ')}. Remove it there first.`)
    }
    if (source === 'folder' && !orphanedAt) {
      throw new ConflictError(
        `${name} comes from the skills folder. Remove its file there and read the folder again.`,
      )
    }
    await tx.skill.delete({ where: { id } })
    return changed({ id, name }, { subject: id, before: { name, source, version } })
  },
})

/** Returns the configurations, then the tasks it is attached to, by name. */
async function namesOfUsers(tx: Tx, skillId: string): Promise<string[]> {
  const request = {
    where: { skills: { some: { skillId } } },
    select: { name: true },
    orderBy: { name: 'asc' },
  } as const
  const configurations = await tx.configuration.findMany(request)
  const tasks = await tx.task.findMany(request)
  return [...configurations.map(({ name }) => name), ...tasks.map(({ name }) => `task ${name}`)]
}

/** Returns the row of one version of a skill, made by whoever brought it. */
export function newVersion(ctx: Ctx, version: number, file: SkillFile) {
  return {
    version,
    description: file.description,
    allowedTools: file.allowedTools ?? Prisma.DbNull,
    frontMatter: file.frontMatter,
    body: file.body,
    checksum: file.checksum,
    bytes: file.bytes,
    createdByLabel: auditLabel(ctx),
  }
}

type Facts = Pick<SkillFile, 'name' | 'checksum' | 'bytes' | 'allowedTools'>

/** Returns what the audit keeps of a version: enough to recognise it, never its text. */
export function versionFacts(version: number, { name, checksum, bytes, allowedTools }: Facts) {
  return { name, version, checksum, bytes, allowedTools }
}
