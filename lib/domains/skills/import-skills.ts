import { createHash } from 'node:crypto'
import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { type DiffPart, diffLines } from './diff-lines'
import { auditFacts, newVersion } from './new-version'
import { AllowedTools, FrontMatter, type ImportSource, type SkillFile } from './schemas'
import { skillFileText } from './skill-file-text'

/** A skill that is here already with other words; `version` is the one that would be replaced. */
export type SkillChange = {
  name: string
  version: number
  allowedTools: { before: string[] | null; after: string[] | null }
  diff: DiffPart[]
}

/** `confirm`: nothing was written yet; the same files with this `fingerprint` as `confirmed` write exactly this. */
export type ImportResult =
  | { type: 'done'; added: Written[]; changed: Written[]; unchanged: Written[] }
  | { type: 'confirm'; changes: SkillChange[]; fingerprint: string }
type Written = { id: string; name: string; version: number }

export type ImportRequest = {
  source: ImportSource
  files: readonly SkillFile[]
  /** What the person saw and agreed to; null = nothing yet. */
  confirmed: string | null
}

/**
 * Adds skills, and new versions of skills that are here already once their differences are confirmed. All of it or
 * nothing. ConflictError when a name belongs to a skill of the folder, or when what was confirmed is no longer what
 * would happen. Admins only.
 */
export async function importSkills(ctx: Ctx, request: ImportRequest): Promise<ImportResult> {
  requireRole(ctx, 'admin')
  const { source, files, confirmed } = request
  const outcome = await changePolicy(async (tx) => {
    const plans = await Promise.all(files.map((file) => planOf(tx, file)))
    const changes = plans.flatMap((plan) => (plan.type === 'changed' ? [plan] : []))
    const fingerprint = fingerprintOf(changes)
    if (changes.length > 0 && confirmed !== fingerprint) {
      if (confirmed === null) return { type: 'confirm' as const, changes, fingerprint }
      throw new ConflictError('A skill changed in the meantime. Review the changes again.')
    }
    const done = { type: 'done' as const, added: [], changed: [], unchanged: [] }
    const written: Record<'added' | 'changed' | 'unchanged', Written[]> = done
    for (const plan of plans) written[plan.type].push(await carryOut(tx, ctx, source, plan))
    return { ...done, ...written }
  })
  if (outcome.type === 'done') return outcome
  return { ...outcome, changes: outcome.changes.map(toChange) }
}

type Stored = {
  id: string
  version: number
  allowedTools: string[] | null
  checksum: string
  bytes: number
  text: string
}
type Changed = { type: 'changed'; file: SkillFile; stored: Stored }
type Plan =
  | { type: 'added'; file: SkillFile }
  | { type: 'unchanged'; file: SkillFile; stored: Stored }
  | Changed

async function planOf(tx: Tx, file: SkillFile): Promise<Plan> {
  const skill = await tx.skill.findUnique({
    where: { name: file.name },
    include: { versions: { orderBy: { version: 'desc' }, take: 1 } },
  })
  if (!skill) return { type: 'added', file }
  if (skill.source === 'folder') {
    throw new ConflictError(`${file.name} comes from the skills folder. Change its file there.`)
  }
  const [newest] = skill.versions
  if (!newest) throw new Error(`The skill ${skill.id} has no version.`)
  const frontMatter = FrontMatter.parse(newest.frontMatter)
  const { version, checksum, bytes, body } = newest
  const text = skillFileText({ frontMatter, body })
  const allowedTools = AllowedTools.parse(newest.allowedTools)
  const stored = { id: skill.id, version, allowedTools, checksum, bytes, text }
  return { type: text === skillFileText(file) ? 'unchanged' : 'changed', file, stored }
}

async function carryOut(tx: Tx, ctx: Ctx, source: ImportSource, plan: Plan): Promise<Written> {
  switch (plan.type) {
    case 'added':
      return addSkill(tx, ctx, source, plan.file)
    case 'changed':
      return replaceSkill(tx, ctx, source, plan)
    case 'unchanged':
      return { id: plan.stored.id, name: plan.file.name, version: plan.stored.version }
    default:
      return plan satisfies never
  }
}

async function addSkill(tx: Tx, ctx: Ctx, source: ImportSource, file: SkillFile): Promise<Written> {
  const { name } = file
  const { id } = await tx.skill.create({
    data: { name, source, version: 1, versions: { create: newVersion(ctx, 1, file) } },
  })
  const after = { ...auditFacts(1, file), source }
  await recordAudit(tx, ctx, { action: 'skill.create', objectType: 'skill', objectId: id, after })
  return { id, name, version: 1 }
}

async function replaceSkill(
  tx: Tx,
  ctx: Ctx,
  source: ImportSource,
  { file, stored }: Changed,
): Promise<Written> {
  const { id } = stored
  const { name } = file
  const version = stored.version + 1
  await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, version, file) } })
  await tx.skill.update({ where: { id }, data: { version, source } })
  await recordAudit(tx, ctx, {
    action: 'skill.update',
    objectType: 'skill',
    objectId: id,
    before: auditFacts(stored.version, { ...stored, name }),
    after: { ...auditFacts(version, file), source },
  })
  return { id, name, version }
}

/** Stands for exactly these files over exactly these versions. */
function fingerprintOf(changes: readonly Changed[]): string {
  const facts = changes.map(({ file, stored }) => [file.name, stored.version, file.checksum])
  return createHash('sha256').update(JSON.stringify(facts.toSorted())).digest('hex')
}

function toChange({ file, stored }: Changed): SkillChange {
  return {
    name: file.name,
    version: stored.version,
    allowedTools: { before: stored.allowedTools, after: file.allowedTools },
    diff: diffLines(stored.text, skillFileText(file)),
  }
}
