import type { Ctx } from '@/lib/kernel/context'
import { ApiScope } from '@/lib/protocol/api-scope'
import { noLimits } from '@/lib/protocol/key-limits'
import { apiKeyOf } from '../api-client'
import { browserHeaders } from '../browser-headers'
import { db } from '../fixture-db'
import { addPerson } from '../people'

export type Headers = Record<string, string>

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** Returns the headers of everybody who tries doors; `admin` owns the keys that are more than an outsider's. */
export async function openAskers(admin: Ctx) {
  // In no group, and nothing is theirs.
  const outsider = await addPerson('member', 'outsider@example.org')
  const every = [...ApiScope.options]
  const outsiderKey = await apiKeyOf(outsider, ...every)
  const limited = await apiKeyOf(admin, ...every)
  await limitNewest('append_nothing')
  const narrow = await apiKeyOf(admin, 'runs:read')
  const { id: narrowId } = await newestKey()
  const ended = await browserHeaders(admin)
  const { id } = await db().session.findFirstOrThrow({ orderBy: { id: 'desc' } })
  await db().session.update({ where: { id }, data: { revokedAt: new Date() } })
  return {
    narrowId,
    outsiderId: outsider.actor.userId,
    outsider,
    strangers: {
      nobody: {},
      'a key that does not exist': bearer('tg_0123456789012345678901234567890123456789012'),
      'a session that was ended': ended,
    },
    outsiders: {
      'a member’s key with every scope stored': bearer(outsiderKey),
      'a member’s session': await browserHeaders(outsider),
    },
    limited: bearer(limited),
    elsewhere: await browserHeaders(admin, { origin: 'https://evil.example' }),
    stale: await browserHeaders(admin, { minutes: 60 }),
    session: await browserHeaders(admin),
    everything: bearer(await apiKeyOf(admin, ...every)),
    /** A key of the admin with exactly these scopes. */
    withScopes: async (scopes: ApiScope[]): Promise<Headers> => {
      await db().apiKey.update({ where: { id: narrowId }, data: { scopes } })
      return bearer(narrow)
    },
  }
}
export type Askers = Awaited<ReturnType<typeof openAskers>>

function newestKey() {
  return db().apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } })
}

/** Limits the newest key to one tool and one configuration that no request is about. */
async function limitNewest(tool: string): Promise<void> {
  const { id } = await newestKey()
  const limits = { ...noLimits, tools: [tool], configurations: [id] }
  await db().apiKey.update({ where: { id }, data: { limits } })
}
