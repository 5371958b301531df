import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { parseId } from '../parse-id'
import { isLastLimit } from './is-last-limit'
import { AllowedTools, type SkillListing } from './schemas'
import { countsHere, skillForce } from './skill-force'

const switchedOn = { enabled: true, skill: { enabled: true } }
/** The accepted version and one that waits are the two newest there can be. */
const newest = {
  orderBy: { version: 'desc' },
  take: 2,
  select: { version: true, allowedTools: true },
} as const

/**
 * The configurations, by name, in which this skill alone limits tools: without it their runs are offered whatever the
 * other gates allow (SPEC G-S). One whose file changed or is gone limits too (ADR 010). Admins only.
 */
export async function listSoleLimits(
  ctx: Ctx,
  skillId: string,
): Promise<SkillListing['configurations']> {
  requireRole(ctx, 'admin')
  const id = parseId(skillId, 'The skill')
  const rows = await db().configuration.findMany({
    where: { skills: { some: { ...switchedOn, skillId: id } } },
    orderBy: { name: 'asc' },
    select: {
      id: true,
      name: true,
      identifier: true,
      skills: {
        where: switchedOn,
        select: { skill: { include: { versions: newest } } },
      },
    },
  })
  return rows.flatMap(({ skills, ...configuration }) => {
    const limits = skills.map(({ skill }) => ({
      skillId: skill.id,
      ...countsHere(true, skillForce(skill)),
      allowedTools: listOf(skill),
    }))
    return isLastLimit(limits, id) ? [configuration] : []
  })
}

type Versions = { version: number; versions: { version: number; allowedTools: unknown }[] }

function listOf({ version, versions }: Versions): string[] | null {
  const accepted = versions.find((each) => each.version === version)
  return AllowedTools.parse(accepted?.allowedTools ?? null)
}
