import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { parseId } from '../../kernel/parse-id'
import { countsHere, type SkillForce, skillForce } from '../../protocol/skill-force'
import { AllowedTools, type SkillState } from './schemas'
import { stateOf } from './state-of'

/**
 * A skill as one configuration uses it. `effective`: switched on here and everywhere, so that it counts (SPEC G-S).
 * `heldBack`: it would, but its file changed or is gone; its text is not sent, what it listed last still limits (ADR 010).
 * `force` is what it does where it is enabled.
 */
export type AttachedSkill = {
  skillId: string
  name: string
  description: string
  version: number
  checksum: string
  allowedTools: string[] | null
  body: string
  state: SkillState
  enabledHere: boolean
  force: SkillForce
  effective: boolean
  heldBack: boolean
}

/** The skills of a configuration in the order they are sent; none for one that does not exist. Admins only. */
export async function listConfigurationSkills(
  ctx: Ctx,
  configurationId: string,
): Promise<AttachedSkill[]> {
  requireRole(ctx, 'admin')
  const rows = await db().configurationSkill.findMany({
    where: { configurationId: parseId(configurationId, 'The configuration') },
    orderBy: { position: 'asc' },
    include: { skill: { include: { versions: { orderBy: { version: 'desc' }, take: 2 } } } },
  })
  return rows.map(({ enabled, skill }) => {
    const accepted = skill.versions.find(({ version }) => version === skill.version)
    if (!accepted) throw new Error(`The skill ${skill.id} has no version ${skill.version}.`)
    const force = skillForce(skill)
    return {
      skillId: skill.id,
      name: skill.name,
      description: accepted.description,
      version: accepted.version,
      checksum: accepted.checksum,
      allowedTools: AllowedTools.parse(accepted.allowedTools),
      body: accepted.body,
      state: stateOf(skill),
      enabledHere: enabled,
      force,
      ...countsHere(enabled, force),
    }
  })
}
