import type { Change } from '@/lib/edge/verb'
import type { Skill } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { requireSkill } from './reads'
import { AllowedTools, type SkillChange, type SkillListing } from './schemas'
import { isLastLimit } from './shape'
import { countsHere, skillForce } from './shared/skill-force'

const switchedOn = { enabled: true, skill: { enabled: true } }
/** A query for the two newest versions: the accepted one, and one that may wait to be accepted. */
const newest = {
  orderBy: { version: 'desc' },
  take: 2,
  select: { version: true, allowedTools: true },
} as const

const attached = {
  where: switchedOn,
  select: { skill: { include: { versions: newest } } },
} as const

/** A configuration or task whose runs this skill alone limits. */
type SoleLimit = SkillListing['configurations'][number] & { type: 'configuration' | 'task' }

/**
 * Returns the configurations and then the tasks, by name, in which this skill alone limits tools: without it their runs
 * are offered whatever the other gates allow (SPEC G-S). A task counts with its own skills and those of the
 * configuration it is usually run with. A skill whose file changed or is gone limits too (ADR 010). Admins only.
 */
export async function listSoleLimits(ctx: Ctx, skillId: string): Promise<SoleLimit[]> {
  requireRole(ctx, 'admin')
  return soleLimits(db(), (await requireSkill(db(), skillId)).id)
}

/** Changes one skill inside the transaction, and returns where that removed the last limit. */
export async function withLimitsGone<A extends string>(
  tx: Tx,
  skillId: string,
  change: () => Promise<Change<void, A>>,
): Promise<Change<SkillChange, A>> {
  const before = await soleLimits(tx, skillId)
  const { changes } = await change()
  const done = changes.length > 0
  const kept = new Set((done ? await soleLimits(tx, skillId) : before).map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id))
  const limitGone = gone.map(({ type, identifier }) =>
    type === 'task' ? `task ${identifier}` : identifier,
  )
  return { output: { changed: done, limitGone }, changes }
}

/**
 * Returns the sole limits inside a transaction, with one query after the other, because a transaction has one
 * connection.
 */
async function soleLimits(tx: Tx, skillId: string): Promise<SoleLimit[]> {
  const input = {
    where: { skills: { some: { ...switchedOn, skillId } } },
    orderBy: { name: 'asc' },
  } as const
  const named = { id: true, name: true, identifier: true, skills: attached } as const
  const configurations = await tx.configuration.findMany({ ...input, select: named })
  const tasks = await tx.task.findMany({
    ...input,
    select: { ...named, configuration: { select: { skills: attached } } },
  })
  return [
    ...configurations.flatMap(({ skills, ...place }) =>
      limitsAlone(skills, skillId) ? [{ ...place, type: 'configuration' as const }] : [],
    ),
    ...tasks.flatMap(({ skills, configuration, ...place }) =>
      limitsAlone([...skills, ...(configuration?.skills ?? [])], skillId)
        ? [{ ...place, type: 'task' as const }]
        : [],
    ),
  ]
}

type Attached = { skill: Skill & Versions }[]

/**
 * Returns whether this skill alone limits the tools. A skill that a task and its configuration both have counts once.
 */
function limitsAlone(all: Attached, skillId: string): boolean {
  const skills = [...new Map(all.map(({ skill }) => [skill.id, skill])).values()]
  const limits = skills.map((skill) => ({
    skillId: skill.id,
    ...countsHere(true, skillForce(skill)),
    allowedTools: listOf(skill),
  }))
  return isLastLimit(limits, skillId)
}

type Versions = { version: number; versions: { version: number; allowedTools: unknown }[] }

function listOf({ version, versions }: Versions): string[] | null {
  const accepted = versions.find((each) => each.version === version)
  return AllowedTools.parse(accepted?.allowedTools ?? null)
}
