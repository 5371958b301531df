import { type Ctx, requireRole } from '../../kernel/context'
import type { Tx } from '../../kernel/db'
import { changePolicy } from '../../kernel/locks'
import { parseInput } from '../../kernel/parse-input'
import { recordAudit } from '../audit/record-audit'
import { type SettingName, SiteSettings, UpdateSettings } from './site-settings'
import { storedSettings } from './stored-settings'

/**
 * Sets what is named and leaves the rest; settings that stay as they are leave no trace. It counts from the next
 * decision on: calls that wait already keep the time they were given. Admins only.
 */
export async function updateSettings(ctx: Ctx, input: UpdateSettings): Promise<SiteSettings> {
  requireRole(ctx, 'admin')
  const { reason, ...wanted } = parseInput(UpdateSettings, input)
  return changePolicy(async (tx) => {
    // The gates' own state is read under this lock, and a run reads some of the settings with it.
    const before = await storedSettings(tx)
    const after = { ...before, ...wanted }
    const changed = SiteSettings.keyof().options.filter((name) => before[name] !== after[name])
    if (after.sessionIdleMs > before.sessionIdleMs) await endIdleSessions(tx, before.sessionIdleMs)
    for (const name of changed) {
      await store(tx, name, after)
      await recordAudit(tx, ctx, {
        action: 'setting.update',
        objectType: 'setting',
        objectId: name,
        before: { [name]: before[name] },
        after: { [name]: after[name] },
        reason,
      })
    }
    return after
  })
}

async function store(tx: Tx, name: SettingName, settings: SiteSettings): Promise<void> {
  const value = settings[name]
  await tx.setting.upsert({ where: { key: name }, create: { key: name, value }, update: { value } })
}

/** What ended by the shorter limit does not come back by a longer one. */
async function endIdleSessions(tx: Tx, idleMs: number): Promise<void> {
  const now = new Date()
  await tx.session.updateMany({
    where: { revokedAt: null, lastSeenAt: { lt: new Date(now.getTime() - idleMs) } },
    data: { revokedAt: now },
  })
}
