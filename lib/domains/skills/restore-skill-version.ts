import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError, NotFoundError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { auditFacts, newVersion } from './new-version'
import { requireSkill } from './require-skill'
import { AllowedTools, FrontMatter } from './schemas'

/**
 * Brings back the words of an old version as a new one, so that history only grows. NotFoundError when there is no
 * such version, ConflictError when it is the newest already or the skill lives in the folder. Admins only.
 */
export async function restoreSkillVersion(
  ctx: Ctx,
  skillId: string,
  version: number,
): Promise<{ version: number }> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const skill = await requireSkill(tx, skillId)
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
    const file = {
      ...old,
      name,
      allowedTools: AllowedTools.parse(old.allowedTools),
      frontMatter: FrontMatter.parse(old.frontMatter),
    }
    await tx.skillVersion.create({ data: { skillId: id, ...newVersion(ctx, next, file) } })
    await tx.skill.update({ where: { id }, data: { version: next } })
    await recordAudit(tx, ctx, {
      action: 'skill.restore',
      objectType: 'skill',
      objectId: id,
      before: { name, version: skill.version },
      after: { ...auditFacts(next, file), restored: version },
    })
    return { version: next }
  })
}
