import type { Skill } from '../../generated/prisma/client'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { countsHere, skillForce } from '../../protocol/skill-force'
import { isLastLimit } from './is-last-limit'
import { AllowedTools, type SkillListing } from './schemas'

const switchedOn = { enabled: true, skill: { enabled: true } }
/** The accepted version and one that waits are the two newest there can be. */
const newest = {
  orderBy: { version: 'desc' },
  take: 2,
  select: { version: true, allowedTools: true },
} as const

const attached = {
  where: switchedOn,
  select: { skill: { include: { versions: newest } } },
} as const

/** Where a skill alone limits tools: runs with a configuration, or runs of a task that has the skill itself. */
export type SoleLimit = SkillListing['configurations'][number] & { type: 'configuration' | 'task' }

/**
 * The configurations and then the tasks, by name, in which this skill alone limits tools: without it their runs are
 * offered whatever the other gates allow (SPEC G-S). A task counts with its own skills and those of the configuration it
 * is usually run with. A skill whose file changed or is gone limits too (ADR 010). Admins only.
 */
export async function listSoleLimits(ctx: Ctx, skillId: string): Promise<SoleLimit[]> {
  requireRole(ctx, 'admin')
  const id = parseId(skillId, 'The skill')
  const asked = {
    where: { skills: { some: { ...switchedOn, skillId: id } } },
    orderBy: { name: 'asc' },
  } as const
  const named = { id: true, name: true, identifier: true, skills: attached } as const
  const [configurations, tasks] = await Promise.all([
    db().configuration.findMany({ ...asked, select: named }),
    db().task.findMany({
      ...asked,
      select: { ...named, configuration: { select: { skills: attached } } },
    }),
  ])
  return [
    ...configurations.flatMap(({ skills, ...place }) =>
      limitsAlone(skills, id) ? [{ ...place, type: 'configuration' as const }] : [],
    ),
    ...tasks.flatMap(({ skills, configuration, ...place }) =>
      limitsAlone([...skills, ...(configuration?.skills ?? [])], id)
        ? [{ ...place, type: 'task' as const }]
        : [],
    ),
  ]
}

type Attached = { skill: Skill & Versions }[]

/** A skill that a task and its configuration both have is one. */
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
