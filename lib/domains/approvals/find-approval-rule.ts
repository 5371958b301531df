import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { toRuleListing, withConfiguration } from './rule-listing'
import type { ApprovalRuleListing } from './schemas'

/** The rule with this id or exact name. NotFoundError when there is none. Admins only. */
export async function findApprovalRule(ctx: Ctx, idOrName: string): Promise<ApprovalRuleListing> {
  requireRole(ctx, 'admin')
  const id = z.uuid().safeParse(idOrName)
  const row = await db().approvalRule.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    include: withConfiguration,
  })
  if (!row) throw new NotFoundError(`The rule ${idOrName.slice(0, 100)}`)
  return toRuleListing(row)
}
