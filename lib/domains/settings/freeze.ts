import { z } from 'zod'
import { ReasonText } from '@/lib/domains/audit/shared/audit-reason'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { db } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { freezeReason } from '@/lib/shape/reason-words'
import { Freeze, freezeKey, freezeSentence, showFreeze } from './read-freeze'

/**
 * Freezes the site. Once it resolves, no run and no call starts in any process, and the processes end their active runs
 * (SPEC G2). It counts the freeze in the same transaction, so that runs that began before it end however soon it
 * is lifted (SPEC G-Z). Throws ConflictError that says who froze it first.
 */
export const freezeSite = verb({
  name: 'site.freeze',
  role: 'admin',
  scope: 'tools:write',
  summary: 'Freezes the site: no run and no call starts, and active runs are ended.',
  input: z.object({ reason: ReasonText.min(1, freezeReason) }),
  output: Freeze,
  transaction: changePolicy,
  run: async ({ tx, actor }, { reason }) => {
    const before = await showFreeze(tx)
    if (before) throw new ConflictError(`This site is already frozen. ${freezeSentence(before)}`)
    const freeze: Freeze = { reason, by: actor.email, at: new Date().toISOString() }
    await tx.setting.create({ data: { key: freezeKey, value: freeze } })
    await tx.policyVersion.updateMany({ data: { freezes: { increment: 1 }, lastFreeze: freeze } })
    return changed(freeze, { subject: null, after: freeze, reason })
  },
})

/** Returns false when the site was not frozen. What the freeze ended stays ended. */
export const unfreezeSite = verb({
  name: 'site.unfreeze',
  role: 'admin',
  scope: 'tools:write',
  summary: 'Lets runs and calls start again. It also succeeds when the site is not frozen.',
  reason: 'optional',
  input: z.object({}),
  needsReauthentication: () => true,
  output: z.boolean(),
  transaction: changePolicy,
  run: async ({ tx }) => {
    const before = await tx.setting.findUnique({ where: { key: freezeKey } })
    if (!before) return unchanged(false)
    await tx.setting.delete({ where: { key: freezeKey } })
    return changed(true, { subject: null, before: before.value })
  },
})

export const getFreeze = verb({
  name: 'site.read-freeze',
  role: 'member',
  scope: 'tools:read',
  summary: 'Returns who froze the site, when and why; null = it is not frozen.',
  input: z.object({}),
  output: Freeze.nullable(),
  transaction: false,
  run: () => showFreeze(db()),
})
