import { z } from 'zod'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { withTransaction } from '../db'
import { NotFoundError } from '../errors'
import { parseInput } from '../parse-input'
import { PersonName } from './schemas'

export const OwnName = z.object({ name: PersonName })
type OwnName = z.input<typeof OwnName>

/** Changes the name others see of oneself. */
export async function renameOneself(ctx: Ctx, input: OwnName): Promise<void> {
  requireRole(ctx, 'member')
  const { name } = parseInput(OwnName, input)
  const id = ctx.actor.userId
  await withTransaction(async (tx) => {
    const before = await tx.user.findFirst({ where: { id, deletedAt: null } })
    if (!before) throw new NotFoundError('The user')
    await tx.user.update({ where: { id }, data: { name } })
    await recordAudit(tx, ctx, {
      action: 'user.rename-oneself',
      objectType: 'user',
      objectId: id,
      before: { email: before.email, name: before.name },
      after: { email: before.email, name },
    })
  })
}
