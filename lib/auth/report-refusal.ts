import { z } from 'zod'
import type { EndedKey } from '@/lib/domains/api-keys/verify-api-key'
import { recordRefusal } from '@/lib/domains/audit/record-refusal'
import { Email } from '@/lib/domains/users/schemas'
import { refusedAtProvider } from '@/lib/domains/users/sign-in-alerts'
import { auditLabel, authorId, type Ctx } from '@/lib/kernel/context'
import { AppError, ForbiddenError, RateLimitedError } from '@/lib/kernel/errors'
import { nameLine } from '@/lib/words/clean-text'
import { addressPrefix } from './client-address'

type Place = { ipAddress: string | null }

/**
 * Audits a failed sign-in: a wrong password or code, or one that had to wait. `account` is what was typed. It is stored
 * only when it is an e-mail address, because it could be a password in the wrong field; null = nothing was typed. Other
 * errors are ignored.
 */
export function reportFailedSignIn(error: unknown, account: unknown, { ipAddress }: Place): void {
  if (!(error instanceof AppError) || ![401, 429].includes(error.status)) return
  const email = Email.safeParse(account).data
  recordRefusal({
    action: error instanceof RateLimitedError ? 'sign-in.slow-down' : 'sign-in.fail',
    who:
      email === undefined
        ? `someone not signed in${account === null ? '' : ' (not an e-mail address)'}`
        : `${email} (not signed in)`,
    actorId: null,
    objectType: 'user',
    objectId: null,
    reason: withoutSeconds(error),
    ...(account !== null && { facts: { email: email ?? 'not an e-mail address' } }),
    account: email,
    ipAddress,
    source: stranger(ipAddress),
  })
}

const Claims = z.object({
  sub: z.string().transform((sub) => nameLine(sub).slice(0, 255)),
  email: z
    .string()
    .transform((email) => nameLine(email).slice(0, 254))
    .optional()
    .catch(undefined),
})

/** Audits that a person of the identity provider was not let in. `claims`: what the provider told, of which nothing is believed. */
export function reportRefusedPerson(reason: string, claims: unknown, { ipAddress }: Place): void {
  const { sub = 'unknown', email = null } = Claims.safeParse(claims).data ?? {}
  recordRefusal({
    action: 'sign-in.fail',
    who: `${email ?? sub} (not signed in)`,
    actorId: null,
    objectType: 'user',
    objectId: null,
    reason: `${refusedAtProvider}${reason}.`,
    facts: { email, subject: sub },
    account: Email.safeParse(email).data,
    ipAddress,
    source: stranger(ipAddress),
  })
}

/** Audits a wrong password, code or passkey of a signed-in person, also one that had to wait. */
export function reportFailedPassword(error: unknown, ctx: Ctx): void {
  if (!(error instanceof AppError) || ![401, 422, 429].includes(error.status)) return
  recordRefusal({
    action: error instanceof RateLimitedError ? 'sign-in.slow-down' : 'password.fail',
    who: auditLabel(ctx),
    actorId: authorId(ctx),
    objectType: 'user',
    objectId: authorId(ctx),
    reason: withoutSeconds(error),
    facts: { email: ctx.actor.email },
    ipAddress: ctx.ipAddress,
    source: { type: 'person', place: ctx.actor.userId },
  })
}

/** The refused object; `name` is its path or another name. */
export type RefusedObject = { type: 'page' | 'action' | 'route' | 'link'; name: string }

/** Audits a refused authorisation (403). `ctx` null = nobody was signed in. Other errors are ignored. */
export function reportForbidden(
  error: unknown,
  ctx: Ctx | null,
  { type, name }: RefusedObject,
  { ipAddress }: Place,
): void {
  if (!(error instanceof ForbiddenError)) return
  recordRefusal({
    action: 'access.refuse',
    who: ctx ? auditLabel(ctx) : 'someone not signed in',
    actorId: ctx && authorId(ctx),
    objectType: type,
    objectId: withoutIds(name),
    reason: error.message,
    ipAddress,
    source: ctx ? { type: 'person', place: ctx.actor.userId } : stranger(ipAddress),
  })
}

/** Audits the use of an API key that no longer works. Null = there never was such a key. */
export function reportRefusedKey(key: EndedKey | null, { ipAddress }: Place): void {
  recordRefusal({
    action: 'api-key.refuse',
    who: key ? `${key.owner} (API key ${key.prefix}…)` : 'someone with an unknown API key',
    actorId: null,
    objectType: 'api-key',
    objectId: key?.keyId ?? null,
    reason: key ? `The API key ${keyStates[key.state]}.` : 'There is no such API key.',
    ...(key && { facts: { name: key.name, owner: key.owner, prefix: key.prefix } }),
    ipAddress,
    source: stranger(ipAddress),
  })
}

const keyStates = {
  revoked: 'was revoked',
  expired: 'has expired',
  paused: 'is off since this installation was restored from a backup',
  suspended: 'belongs to an account that is suspended',
  disabled: 'belongs to an account that is disabled or deleted',
} as const satisfies Record<EndedKey['state'], string>

function stranger(ipAddress: string | null) {
  return { type: 'stranger' as const, place: ipAddress ? addressPrefix(ipAddress) : '' }
}

/** Returns the reason without its seconds, because one row counts many refusals with different waits. */
function withoutSeconds(error: AppError): string {
  return error.message.replace(/ Try again in .*$/, '')
}

/** Returns a path without ids and tokens, so that equal refusals are counted together and no secret is stored. */
function withoutIds(path: string): string {
  const [plain = ''] = path.split('?')
  const short = plain.split('/').map((part) => (part.length > 20 ? '[id]' : part))
  return short.join('/').slice(0, 200)
}
