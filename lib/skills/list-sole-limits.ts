import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { parseId } from '../parse-id'
import { isLastLimit } from './is-last-limit'
import { AllowedTools, type SkillListing } from './schemas'

const counts = { enabled: true, skill: { enabled: true, orphanedAt: null, pendingVersion: null } }
const newest = { orderBy: { version: 'desc' }, take: 1, select: { allowedTools: true } } as const

/**
 * The configurations, by name, in which this skill alone counts and lists tools: without it their runs are offered
 * whatever the other gates allow (SPEC G-S). Admins only.
 */
export async function listSoleLimits(
  ctx: Ctx,
  skillId: string,
): Promise<SkillListing['configurations']> {
  requireRole(ctx, 'admin')
  const id = parseId(skillId, 'The skill')
  const rows = await db().configuration.findMany({
    where: { skills: { some: { ...counts, skillId: id } } },
    orderBy: { name: 'asc' },
    select: {
      id: true,
      name: true,
      identifier: true,
      skills: {
        where: counts,
        select: { skillId: true, skill: { select: { versions: newest } } },
      },
    },
  })
  return rows.flatMap(({ skills, ...configuration }) => {
    const limits = skills.map(({ skillId: each, skill }) => ({
      skillId: each,
      effective: true,
      allowedTools: AllowedTools.parse(skill.versions[0]?.allowedTools ?? null),
    }))
    return isLastLimit(limits, id) ? [configuration] : []
  })
}
