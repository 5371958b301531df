import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { ConflictError } from '../../kernel/errors'
import { changePolicy } from '../../kernel/locks'
import { recordAudit } from '../audit/record-audit'
import { auditFacts } from './new-version'
import { requireSkill } from './require-skill'
import { AllowedTools } from './schemas'

/**
 * Makes what was found on disk the version that counts. `checksum` is the one of the text that the admin saw:
 * ConflictError when the file changed again, or nothing waits. Admins only.
 */
export async function acceptSkillChange(
  ctx: Ctx,
  skillId: string,
  checksum: string,
): Promise<{ version: number }> {
  requireRole(ctx, 'admin')
  return changePolicy(async (tx) => {
    const { id, name, version, pendingVersion } = await requireSkill(tx, skillId)
    if (pendingVersion === null) throw new ConflictError(`${name} has no change to accept.`)
    const after = await factsOf(tx, id, name, pendingVersion)
    if (after.checksum !== checksum) {
      throw new ConflictError(`The file of ${name} changed again. Review the new changes first.`)
    }
    await tx.skill.update({
      where: { id },
      data: { version: pendingVersion, pendingVersion: null },
    })
    await recordAudit(tx, ctx, {
      action: 'skill.accept-change',
      objectType: 'skill',
      objectId: id,
      before: await factsOf(tx, id, name, version),
      after,
    })
    return { version: pendingVersion }
  })
}

async function factsOf(tx: Tx, skillId: string, name: string, version: number) {
  const row = await tx.skillVersion.findUniqueOrThrow({
    where: { skillId_version: { skillId, version } },
    select: { checksum: true, bytes: true, allowedTools: true },
  })
  return auditFacts(version, { ...row, name, allowedTools: AllowedTools.parse(row.allowedTools) })
}
