import { type Ctx, requireRole } from '../../kernel/context'
import { ConflictError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { changePolicy } from '../../kernel/policy-lock'
import { recordAudit } from '../audit/record-audit'
import { type Freeze, freezeKey, freezeSentence, showFreeze } from './read-freeze'
import { FreezeSite } from './schemas'

/**
 * Stops everything: once this resolves, no run and no call starts in any process, and runs in flight are ended by
 * the processes that work on them (SPEC section 4, gate 2). ConflictError says who was first. Admins only.
 */
export async function freezeSite(ctx: Ctx, input: FreezeSite): Promise<Freeze> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(FreezeSite, input)
  return changePolicy(async (tx) => {
    const before = await showFreeze(tx)
    if (before) throw new ConflictError(`This site is already frozen. ${freezeSentence(before)}`)
    const freeze: Freeze = { reason, by: ctx.actor.email, at: new Date().toISOString() }
    await tx.setting.create({ data: { key: freezeKey, value: freeze } })
    await recordAudit(tx, ctx, {
      action: 'site.freeze',
      objectType: 'site',
      objectId: null,
      after: freeze,
      reason,
    })
    return freeze
  })
}
