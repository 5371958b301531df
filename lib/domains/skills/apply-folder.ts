import type { Prisma } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { recordAudit } from '../audit/record-audit'
import { auditFacts, newVersion } from './new-version'
import type { FolderFile, FolderProblem, SkillFolder } from './read-folder'

/** Names of skills by what became of them; `problems` are files that could not be used. */
export type FolderReport = {
  added: string[]
  /** Off until an admin accepts the difference. */
  changed: string[]
  /** Their file is gone or cannot be used. */
  missing: string[]
  /** Their file is again what was accepted. */
  returned: string[]
  unchanged: string[]
  problems: FolderProblem[]
}

type Stored = Prisma.SkillGetPayload<{ include: typeof withChecksums }>

const withChecksums = {
  versions: {
    orderBy: { version: 'desc' },
    take: 2,
    select: { version: true, checksum: true },
  },
} as const satisfies Prisma.SkillInclude

/** Brings the stored skills of the folder in line with what was found in it. The caller holds the policy lock. */
export async function applyFolder(tx: Tx, ctx: Ctx, found: SkillFolder): Promise<FolderReport> {
  const report: FolderReport = {
    added: [],
    changed: [],
    missing: [],
    returned: [],
    unchanged: [],
    problems: [...found.problems],
  }
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
    const became = skill ? await compare(tx, ctx, skill, entry) : await add(tx, ctx, entry)
    report[became].push(entry.file.name)
  }
  const here = new Set(found.files.map(({ file }) => file.name))
  for (const skill of stored) {
    if (skill.source !== 'folder' || here.has(skill.name)) continue
    report.missing.push(skill.name)
    if (!skill.orphanedAt) await orphan(tx, ctx, skill)
  }
  return report
}

/** A path belongs to one skill; where files were renamed, their old owners let go first. */
async function freePaths(
  tx: Tx,
  files: readonly FolderFile[],
  byName: ReadonlyMap<string, Stored>,
): Promise<void> {
  const moved = files.filter(({ path, file }) => byName.get(file.name)?.path !== path)
  const paths = moved.map(({ path }) => path)
  await tx.skill.updateMany({ where: { path: { in: paths } }, data: { path: null } })
}

async function add(tx: Tx, ctx: Ctx, { path, file }: FolderFile): Promise<'added'> {
  const { id } = await tx.skill.create({
    data: {
      name: file.name,
      source: 'folder',
      path,
      version: 1,
      versions: { create: newVersion(ctx, 1, file) },
    },
  })
  await recordAudit(tx, ctx, {
    action: 'skill.create',
    objectType: 'skill',
    objectId: id,
    after: { ...auditFacts(1, file), source: 'folder', path },
  })
  return 'added'
}

async function compare(
  tx: Tx,
  ctx: Ctx,
  skill: Stored,
  { path, file }: FolderFile,
): Promise<'changed' | 'returned' | 'unchanged'> {
  const { id, version, pendingVersion, orphanedAt } = skill
  const checksumOf = (wanted: number | null) =>
    skill.versions.find((each) => each.version === wanted)?.checksum
  await place(tx, ctx, skill, path)
  const auditReturn = (which: number) => {
    const after = { name: file.name, version: which, checksum: file.checksum, path }
    return recordAudit(tx, ctx, {
      action: 'skill.return',
      objectType: 'skill',
      objectId: id,
      after,
    })
  }
  if (pendingVersion !== null && checksumOf(pendingVersion) === file.checksum) {
    if (orphanedAt) await auditReturn(pendingVersion)
    return 'changed'
  }
  if (checksumOf(version) === file.checksum) {
    if (pendingVersion === null && !orphanedAt) return 'unchanged'
    await dropPending(tx, skill)
    await auditReturn(version)
    return 'returned'
  }
  await dropPending(tx, skill)
  const next = version + 1
  await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, next, file) } })
  await tx.skill.update({ where: { id }, data: { pendingVersion: next } })
  await recordAudit(tx, ctx, {
    action: 'skill.change-on-disk',
    objectType: 'skill',
    objectId: id,
    before: { name: file.name, version, checksum: checksumOf(version) },
    after: { ...auditFacts(next, file), path },
  })
  return 'changed'
}

/** Where the file is now. Nothing is written while it is where it was, so that "changed" says when it did. */
async function place(tx: Tx, ctx: Ctx, skill: Stored, path: string): Promise<void> {
  const { id, name, orphanedAt } = skill
  const isMoved = skill.path !== path
  if (!isMoved && !orphanedAt) return
  await tx.skill.update({ where: { id }, data: { path, orphanedAt: null } })
  if (!isMoved) return
  await recordAudit(tx, ctx, {
    action: 'skill.move',
    objectType: 'skill',
    objectId: id,
    before: { name, path: skill.path },
    after: { name, path },
  })
}

/** What was never accepted is no history: the newest version stays the one that counts, or that waits. */
async function dropPending(tx: Tx, { id, version }: Stored): Promise<void> {
  await tx.skillVersion.deleteMany({ where: { skillId: id, version: { gt: version } } })
  await tx.skill.update({ where: { id }, data: { pendingVersion: null } })
}

async function orphan(tx: Tx, ctx: Ctx, { id, name, path }: Stored): Promise<void> {
  await tx.skill.update({ where: { id }, data: { orphanedAt: new Date() } })
  await recordAudit(tx, ctx, {
    action: 'skill.go-missing',
    objectType: 'skill',
    objectId: id,
    before: { name, path },
  })
}
