import { z } from 'zod'
import { type AuditedChange, type Change, changed, verb } from '@/lib/edge/verb'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { ConflictError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { type FolderFile, readSkillFolder, SkillFolder } from './read-folder'
import { skillWarnings } from './shape'
import { newVersion, versionFacts } from './verbs'

/**
 * Names of skills by their new state. `changed`: off until an admin accepts the difference. `missing`: the file does
 * not exist or is unusable. `returned`: the file is the accepted one again. `problems`: unusable files.
 */
const FolderReport = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  missing: z.array(z.string()),
  returned: z.array(z.string()),
  unchanged: z.array(z.string()),
  problems: SkillFolder.shape.problems,
  /** Errors in files that are used all the same, as sentences. */
  warnings: z.array(z.string()),
})
export type FolderReport = z.output<typeof FolderReport>

const audits = [
  'skill.create',
  'skill.change-on-disk',
  'skill.return',
  'skill.move',
  'skill.go-missing',
] as const
type FolderAction = (typeof audits)[number]

/**
 * Reads the folder: adds new files, holds back changed ones for an admin, and marks missing ones. Throws ConflictError
 * when no folder is set, and UnavailableError when it cannot be read; nothing changes then.
 */
export const reloadSkillFolder = verb({
  name: 'skill.reload-folder',
  role: 'admin',
  scope: null,
  summary: 'Reads the skills folder again.',
  input: z.object({}),
  output: FolderReport,
  audits,
  transaction: 'later',
  run: async ({ ctx, change }) => {
    const folder = env().TOOLGATE_SKILLS_DIR
    if (folder === undefined) {
      throw new ConflictError(
        'There is no skills folder. Set TOOLGATE_SKILLS_DIR to one and restart Toolgate.',
      )
    }
    const found = await readSkillFolder(folder)
    return change((tx) => applyFolder(tx, ctx, found), changePolicy)
  },
})

type Stored = Prisma.SkillGetPayload<{ include: typeof withChecksums }>

const withChecksums = {
  versions: {
    orderBy: { version: 'desc' },
    take: 2,
    select: { version: true, checksum: true },
  },
} as const satisfies Prisma.SkillInclude

/** Updates the stored skills of the folder from the files in it. */
async function applyFolder(
  tx: PolicyTx,
  ctx: Ctx,
  found: z.output<typeof SkillFolder>,
): Promise<Change<FolderReport, FolderAction>> {
  const report: FolderReport = {
    added: [],
    changed: [],
    missing: [],
    returned: [],
    unchanged: [],
    problems: [...found.problems],
    warnings: found.files.flatMap(({ path, file }) =>
      skillWarnings(file).map((words) => `${path}: ${words}`),
    ),
  }
  const trail: FolderChange[] = []
  const work: Work = { ctx, trail }
  const stored = await tx.skill.findMany({ include: withChecksums })
  const byName = new Map(stored.map((skill) => [skill.name, skill]))
  await freePaths(tx, found.files, byName)
  for (const entry of found.files) {
    const skill = byName.get(entry.file.name)
    if (skill && skill.source !== 'folder') {
      const problem = `Another skill named ${skill.name} was uploaded. Delete that one, or rename this one.`
      report.problems.push({ path: entry.path, problem })
      continue
    }
    const became = skill ? await compare(tx, work, skill, entry) : await add(tx, work, entry)
    report[became].push(entry.file.name)
  }
  const here = new Set(found.files.map(({ file }) => file.name))
  for (const skill of stored) {
    if (skill.source !== 'folder' || here.has(skill.name)) continue
    report.missing.push(skill.name)
    if (!skill.orphanedAt) await orphan(tx, work, skill)
  }
  return changed(report, ...trail)
}

type FolderChange = AuditedChange<FolderAction>
/** `trail` collects the audit entries. */
type Work = { ctx: Ctx; trail: FolderChange[] }

/** Frees the paths of renamed files. A path belongs to one skill, so the old owner must release it first. */
async function freePaths(
  tx: PolicyTx,
  files: readonly FolderFile[],
  byName: ReadonlyMap<string, Stored>,
): Promise<void> {
  const moved = files.filter(({ path, file }) => byName.get(file.name)?.path !== path)
  const paths = moved.map(({ path }) => path)
  await tx.skill.updateMany({ where: { path: { in: paths } }, data: { path: null } })
}

async function add(
  tx: PolicyTx,
  { ctx, trail }: Work,
  { path, file }: FolderFile,
): Promise<'added'> {
  const { id } = await tx.skill.create({
    data: {
      name: file.name,
      source: 'folder',
      path,
      version: 1,
      versions: { create: newVersion(ctx, 1, file) },
    },
  })
  const after = { ...versionFacts(1, file), source: 'folder', path }
  trail.push({ action: 'skill.create', subject: id, after })
  return 'added'
}

async function compare(
  tx: PolicyTx,
  work: Work,
  skill: Stored,
  { path, file }: FolderFile,
): Promise<'changed' | 'returned' | 'unchanged'> {
  const { ctx, trail } = work
  const { id, version, pendingVersion, orphanedAt } = skill
  const checksumOf = (wanted: number | null) =>
    skill.versions.find((each) => each.version === wanted)?.checksum
  await place(tx, work, skill, path)
  const auditReturn = (which: number) => {
    const after = { name: file.name, version: which, checksum: file.checksum, path }
    trail.push({ action: 'skill.return', subject: id, after })
  }
  if (pendingVersion !== null && checksumOf(pendingVersion) === file.checksum) {
    if (orphanedAt) auditReturn(pendingVersion)
    return 'changed'
  }
  if (checksumOf(version) === file.checksum) {
    if (pendingVersion === null && !orphanedAt) return 'unchanged'
    await dropPending(tx, skill)
    auditReturn(version)
    return 'returned'
  }
  await dropPending(tx, skill)
  const next = version + 1
  await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, next, file) } })
  await tx.skill.update({ where: { id }, data: { pendingVersion: next } })
  trail.push({
    action: 'skill.change-on-disk',
    subject: id,
    before: { name: file.name, version, checksum: checksumOf(version) },
    after: { ...versionFacts(next, file), path },
  })
  return 'changed'
}

/**
 * Stores where the file of a skill is now. Writes nothing while that is the same, so that the time of the last change
 * stays.
 */
async function place(tx: PolicyTx, { trail }: Work, skill: Stored, path: string): Promise<void> {
  const { id, name, orphanedAt } = skill
  const isMoved = skill.path !== path
  if (!isMoved && !orphanedAt) return
  await tx.skill.update({ where: { id }, data: { path, orphanedAt: null } })
  if (!isMoved) return
  const before = { name, path: skill.path }
  trail.push({ action: 'skill.move', subject: id, before, after: { name, path } })
}

/**
 * Deletes a version that was never accepted, which is no history. The newest remaining version is the current or the
 * waiting one.
 */
async function dropPending(tx: PolicyTx, { id, version }: Stored): Promise<void> {
  await tx.skillVersion.deleteMany({ where: { skillId: id, version: { gt: version } } })
  await tx.skill.update({ where: { id }, data: { pendingVersion: null } })
}

async function orphan(tx: PolicyTx, { trail }: Work, { id, name, path }: Stored): Promise<void> {
  await tx.skill.update({ where: { id }, data: { orphanedAt: new Date() } })
  trail.push({ action: 'skill.go-missing', subject: id, before: { name, path } })
}
