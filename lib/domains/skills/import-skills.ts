import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type AuditedChange, type Change, changed, unchanged, verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import type { PolicyTx, Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { diffLines } from '@/lib/words/diff-lines'
import { AllowedTools, FrontMatter, ImportSource, SkillFile } from './schemas'
import { skillFileText } from './skill-file'
import { newVersion, versionFacts } from './verbs'

/** A stored skill with another text; `version` is the one that would be replaced. */
const Replacement = z.object({
  name: z.string(),
  version: z.number(),
  allowedTools: z.object({ before: AllowedTools, after: AllowedTools }),
  diff: z.array(z.object({ type: z.enum(['same', 'added', 'removed']), value: z.string() })),
})
export type SkillReplacement = z.output<typeof Replacement>

const Written = z.object({ id: z.string(), name: z.string(), version: z.number() })
type Written = z.output<typeof Written>
export const ImportDone = z.object({
  type: z.literal('done'),
  added: z.array(Written),
  changed: z.array(Written),
  unchanged: z.array(Written),
})

/** Question before anything is written; the same files with this `fingerprint` as `confirmed` write exactly this. */
export const ImportQuestion = z.object({
  type: z.literal('confirm'),
  changes: z.array(Replacement),
  fingerprint: z.string(),
})
const ImportResult = z.discriminatedUnion('type', [ImportDone, ImportQuestion])

/**
 * `confirmed`: the fingerprint of what the person saw and agreed to; null = nothing yet. `ask`: asks also where nothing
 * is replaced.
 */
const ImportRequest = z.object({
  source: ImportSource,
  files: z.array(SkillFile),
  confirmed: z.string().max(64).nullable(),
  ask: z.boolean().default(false),
})

/** The result of an import without the line-by-line differences. */
type Outcome =
  | z.output<typeof ImportDone>
  | { type: 'confirm'; changes: Changed[]; fingerprint: string }

/**
 * Imports all files or none. Throws ConflictError when a name belongs to a skill of the folder, or when what was confirmed
 * is no longer what would happen.
 */
export const importSkills = verb({
  name: 'skill.import',
  mayBreakCases: true,
  role: 'admin',
  scope: 'skills:write',
  summary: 'Adds skills, and new versions of existing ones once their differences are confirmed.',
  input: ImportRequest,
  output: ImportResult,
  audits: ['skill.create', 'skill.update'],
  transaction: 'later',
  run: async ({ ctx, change }, input) => {
    const outcome = await change((tx) => write(tx, ctx, input), changePolicy)
    if (outcome.type === 'done') return outcome
    // Comparing texts may take long, so the policy is not locked meanwhile.
    return { ...outcome, changes: outcome.changes.map(toReplacement) }
  },
})

async function write(
  tx: PolicyTx,
  ctx: Ctx,
  { source, files, confirmed, ask }: z.output<typeof ImportRequest>,
): Promise<Change<Outcome, 'skill.create' | 'skill.update'>> {
  const plans: Plan[] = []
  for (const file of files) plans.push(await planOf(tx, file))
  const changes = plans.flatMap((plan) => (plan.type === 'changed' ? [plan] : []))
  const fingerprint = fingerprintOf(plans)
  if ((ask || changes.length > 0) && confirmed !== fingerprint) {
    if (confirmed === null) return unchanged({ type: 'confirm', changes, fingerprint })
    throw new ConflictError('A skill changed in the meantime. Review the changes again.')
  }
  const done: z.output<typeof ImportDone> = { type: 'done', added: [], changed: [], unchanged: [] }
  const trail: ImportChange[] = []
  for (const plan of plans) {
    const { written, audited } = await applyPlan(tx, ctx, source, plan)
    done[plan.type].push(written)
    if (audited) trail.push(audited)
  }
  return changed(done, ...trail)
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

type ImportChange = AuditedChange<'skill.create' | 'skill.update'>
type CarriedOut = { written: Written /** null = nothing changed. */; audited: ImportChange | null }

async function applyPlan(
  tx: PolicyTx,
  ctx: Ctx,
  source: ImportSource,
  plan: Plan,
): Promise<CarriedOut> {
  switch (plan.type) {
    case 'added':
      return addSkill(tx, ctx, source, plan.file)
    case 'changed':
      return replaceSkill(tx, ctx, source, plan)
    case 'unchanged': {
      const { id, version } = plan.stored
      return { written: { id, name: plan.file.name, version }, audited: null }
    }
    default:
      return plan satisfies never
  }
}

async function addSkill(
  tx: PolicyTx,
  ctx: Ctx,
  source: ImportSource,
  file: SkillFile,
): Promise<CarriedOut> {
  const { name } = file
  const { id } = await tx.skill.create({
    data: { name, source, version: 1, versions: { create: newVersion(ctx, 1, file) } },
  })
  const after = { ...versionFacts(1, file), source }
  return {
    written: { id, name, version: 1 },
    audited: { action: 'skill.create', subject: id, after },
  }
}

async function replaceSkill(
  tx: PolicyTx,
  ctx: Ctx,
  source: ImportSource,
  { file, stored }: Changed,
): Promise<CarriedOut> {
  const { id } = stored
  const { name } = file
  const version = stored.version + 1
  await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, version, file) } })
  await tx.skill.update({ where: { id }, data: { version, source } })
  const before = versionFacts(stored.version, { ...stored, name })
  const after = { ...versionFacts(version, file), source }
  const audited = { action: 'skill.update', subject: id, before, after } as const
  return { written: { id, name, version }, audited }
}

/** Returns a fingerprint of these files and of the versions that are stored. */
function fingerprintOf(plans: readonly Plan[]): string {
  const facts = plans.map((plan) => {
    const version = plan.type === 'added' ? 0 : plan.stored.version
    return [plan.file.name, version, plan.file.checksum]
  })
  return createHash('sha256').update(JSON.stringify(facts.toSorted())).digest('hex')
}

function toReplacement({ file, stored }: Changed): SkillReplacement {
  return {
    name: file.name,
    version: stored.version,
    allowedTools: { before: stored.allowedTools, after: file.allowedTools },
    diff: diffLines(stored.text, skillFileText(file)),
  }
}
