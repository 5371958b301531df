import { z } from 'zod'
import { removeTotpApps } from '@/lib/domains/users/access'
import { changed, verb } from '@/lib/edge/verb'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { Name } from '@/lib/shape/identifier'
import {
  isRequired,
  lockLocalAccount,
  makeRecoveryCodes,
  replaceRecoveryCodes,
} from './second-factor'

const FactorId = z.object({ kind: z.enum(['passkey', 'app']), id: z.string().max(100) })
type FactorId = z.infer<typeof FactorId>

export const renameFactor = verb({
  name: 'second-factor.rename',
  role: 'member',
  scope: null,
  summary: 'Renames one of the caller’s own second factors.',
  input: FactorId.extend({ name: Name }),
  run: async ({ tx, actor: { userId } }, { kind, id, name }) => {
    await lockLocalAccount(tx, userId)
    const before = await requireFactor(tx, userId, { kind, id })
    const where = { id: before.id }
    if (kind === 'passkey') await tx.passkey.update({ where, data: { name } })
    else await tx.totpApp.update({ where, data: { name } })
    return changed(undefined, {
      type: 'user',
      subject: userId,
      before: { kind, name: before.name },
      after: { kind, name },
    })
  },
})

/** Throws ConflictError when the site requires a second factor and this is the last. */
export const removeFactor = verb({
  name: 'second-factor.remove',
  role: 'member',
  scope: null,
  summary:
    'Removes one of the caller’s own second factors, and with the last one the recovery codes.',
  input: FactorId,
  needsReauthentication: () => true,
  run: async ({ tx, actor: { userId } }, { kind, id: idOrName }) => {
    const { role } = await lockLocalAccount(tx, userId)
    const { id, name } = await requireFactor(tx, userId, { kind, id: idOrName })
    const isLast = (await countFactors(tx, userId)) === 1
    if (isLast && (await isRequired(tx, role))) {
      throw new ConflictError(
        'This site requires a second factor, and this is your last one. Add another first.',
      )
    }
    if (kind === 'passkey') await tx.passkey.delete({ where: { id } })
    else await removeTotpApps(tx, { id })
    if (isLast) await tx.recoveryCode.deleteMany({ where: { userId } })
    return changed(undefined, { type: 'user', subject: userId, before: { kind, name } })
  },
})

/** The old ones stop working; the new ones are shown only this once. */
export const renewRecoveryCodes = verb({
  name: 'second-factor.renew-recovery-codes',
  role: 'member',
  scope: null,
  summary: 'Replaces the caller’s recovery codes.',
  input: z.object({}),
  output: z.array(z.string()),
  needsReauthentication: () => true,
  transaction: 'later',
  run: async ({ change, actor: { userId } }) => {
    const made = await makeRecoveryCodes(userId)
    return change(async (tx) => {
      await lockLocalAccount(tx, userId)
      if ((await countFactors(tx, userId)) === 0) {
        throw new ConflictError('Add a passkey or an authenticator app first.')
      }
      const codes = await replaceRecoveryCodes(tx, userId, made)
      return changed(codes, { type: 'user', subject: userId, after: { left: codes.length } })
    })
  },
})

async function countFactors(tx: Tx, userId: string): Promise<number> {
  const apps = await tx.totpApp.count({ where: { userId, confirmedAt: { not: null } } })
  return apps + (await tx.passkey.count({ where: { userId } }))
}

async function requireFactor(
  tx: Tx,
  userId: string,
  { kind, id: text }: FactorId,
): Promise<{ id: string; name: string }> {
  const id = parseId(text, 'The second factor')
  const found =
    kind === 'passkey'
      ? await tx.passkey.findFirst({ where: { id, userId } })
      : await tx.totpApp.findFirst({ where: { id, userId, confirmedAt: { not: null } } })
  if (!found) throw new NotFoundError('The second factor')
  return found
}
