import { listKeys } from '@/lib/domains/connections/list-keys'
import { openKeys } from '@/lib/domains/connections/open-connection'
import { systemCtx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { failureName } from '@/lib/protocol/model/failure-words'
import { shellWord } from '../fix-command'
import { type Finding, fail, ok, warn } from './finding'

/** Checks the connections with several keys: which keys the provider refused, and whether a usable one is left. */
export async function checkKeys(): Promise<Finding[]> {
  const pooled = await db().connection.findMany({
    where: { pooled: true, enabled: true },
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  return (await Promise.all(pooled.map(checkPool))).flat()
}

async function checkPool({ id, name }: { id: string; name: string }): Promise<Finding[]> {
  const check = `Keys of ${name}`
  const list = `toolgate key list --connection ${shellWord(name)}`
  const opened = await openKeys(db(), id, null).catch(() => null)
  if (!opened) {
    return [fail(check, 'a further key cannot be decrypted', `Replace it. ${list} shows the keys.`)]
  }
  const keys = await listKeys(systemCtx(), { id })
  const on = keys.filter(({ enabled }) => enabled)
  if (on.length === 0) return [fail(check, 'all of them are off', `Switch one on. ${list}`)]
  const refused = on.flatMap(({ label, health }) =>
    health.type === 'paused' && health.category !== null && health.category !== 'rate-limited'
      ? [warn(check, `${label}: ${failureName(health.category)}`, `${health.advice} ${list}`)]
      : [],
  )
  return refused.length > 0 ? refused : [ok(check, `${on.length} of ${keys.length} in use`)]
}
