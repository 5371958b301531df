import { z } from 'zod'
import { createApiKey } from '@/lib/domains/api-keys/create-api-key'
import { listApiKeys } from '@/lib/domains/api-keys/list-api-keys'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import { listUsers } from '@/lib/domains/users/reads'
import { NotFoundError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { ApiScope } from '@/lib/protocol/api-scope'
import { countOf } from '@/lib/protocol/format'
import { revokeKey } from '@/lib/runs/revoke-key'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'

export type CreateApiKeyOptions = CommonOptions & {
  user: string
  name: string
  scopes: string[]
  /** Days. */
  expires?: number | 'never'
  expiresInDays?: number
}

const Scopes = z.array(
  z.enum(ApiScope.options, `A scope is one of ${ApiScope.options.join(', ')}.`),
)

export async function addApiKey(options: CreateApiKeyOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const scopes = parseInput(Scopes, options.scopes)
  const email = options.user.trim().toLowerCase()
  const owner = (await listUsers(ctx)).find((user) => user.email === email)
  if (!owner) throw new NotFoundError('The account given with --user')
  const { name, expires, expiresInDays } = options
  const key = await createApiKey(ctx, {
    name,
    scopes,
    expiresInDays: expires === 'never' ? null : (expires ?? expiresInDays),
    userId: owner.id,
  })
  const { id, token, prefix, expiresAt } = key
  if (options.json) return printJson({ id, token, prefix, scopes, expiresAt })
  const end = expiresAt === null ? 'does not expire' : `expires ${expiresAt}`
  printLine(`Added the key ${prefix}… (${id}) for ${owner.email}. It ${end}. It is shown only now:`)
  printLine(token)
}

export async function printApiKeys(options: CommonOptions): Promise<void> {
  const keys = await listApiKeys(await actingCtx(options.as))
  if (options.json) return printJson(keys)
  printTable(
    ['ID', 'KEY', 'NAME', 'ACCOUNT', 'SCOPES', 'STATE', 'EXPIRES', 'LAST USED'],
    keys.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.userEmail,
      key.scopes.join(','),
      stateOf(key),
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
    ]),
  )
}

export type RevokeApiKeyOptions = CommonOptions & { keepRuns?: boolean; reason?: string }

export async function endApiKey(id: string, options: RevokeApiKeyOptions): Promise<void> {
  const input = { stopRuns: options.keepRuns !== true, reason: options.reason ?? '' }
  const { stoppedRuns } = await revokeKey(await actingCtx(options.as), id, input)
  if (options.json) return printJson({ id, revoked: true, stoppedRuns })
  printLine('Revoked the key.')
  if (stoppedRuns > 0) printLine(`Stopping ${countOf(stoppedRuns, 'run')} started with it.`)
}

function stateOf({ revokedAt, expiresAt }: ApiKeyListing): string {
  if (revokedAt) return 'revoked'
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active'
}
