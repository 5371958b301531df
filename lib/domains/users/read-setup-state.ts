import { db } from '../../kernel/db'
import { isSetupToken, SetupToken, setupTokenKey } from './setup-token'

/**
 * Where the first set-up stands: `done` once there is an admin; before that `open` when `token` is the one of the
 * current set-up link, `wrong-link` when it is not (or is too old).
 */
export async function readSetupState(
  token: string,
  now = new Date(),
): Promise<'done' | 'open' | 'wrong-link'> {
  const admin = await db().user.findFirst({ where: { role: 'admin', deletedAt: null } })
  if (admin) return 'done'
  const row = await db().setting.findUnique({ where: { key: setupTokenKey } })
  return row && isSetupToken(SetupToken.parse(row.value), token, now) ? 'open' : 'wrong-link'
}
