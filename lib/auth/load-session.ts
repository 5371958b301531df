import { z } from 'zod'
import {
  defaultSettings,
  SecondFactorFor,
  type SettingName,
  SiteSettings,
} from '@/lib/domains/settings/shape'
import { db, unaudited } from '@/lib/kernel/db'
import { type Actor, Role } from '@/lib/protocol/tool'

const touchEveryMs = 60_000

/** `mustEnrol`: the site requires a second factor, and this person has none, so they may do nothing else first. */
export type SignedIn = {
  sessionId: string
  actor: Actor
  name: string
  lastSeenAt: Date
  /** When they last confirmed their identity, at sign-in or later. */
  authenticatedAt: Date
  mustEnrol: boolean
}

const Row = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  isLocal: z.boolean(),
  hasSecondFactor: z.boolean(),
  lastSeenAt: z.date(),
  authenticatedAt: z.date(),
  expiresAt: z.date(),
  isOpen: z.boolean(),
  idleMs: z.unknown(),
  secondFactorFor: z.unknown(),
})
type Row = z.infer<typeof Row>

const idleKey: SettingName = 'sessionIdleMs'
const secondFactorKey: SettingName = 'secondFactorFor'

/**
 * Returns the person behind a session as the database knows them now: revocation, a lowered role, a disabled account
 * and the idle time-out take effect here, at the next request. Null when the session does not count any more.
 */
export async function loadSession(sessionId: string, now = new Date()): Promise<SignedIn | null> {
  const row = await readRow(sessionId)
  if (!row || !counts(row, now) || isIdle(row, now)) return null
  const { userId, email, name, role, lastSeenAt, authenticatedAt } = row
  const mustEnrol = row.isLocal && !row.hasSecondFactor && isAskedOf(role, row.secondFactorFor)
  return {
    sessionId,
    actor: { userId, email, role },
    name,
    lastSeenAt,
    authenticatedAt,
    mustEnrol,
  }
}

/** Returns the idle limit in milliseconds when it alone ended this session; null otherwise. */
export async function endedByIdling(sessionId: string, now = new Date()): Promise<number | null> {
  const row = await readRow(sessionId)
  return row && counts(row, now) && isIdle(row, now) ? idleLimitOf(row.idleMs) : null
}

/** Notes that somebody used the session; at most one write a minute. */
export async function touchSession(
  { sessionId, lastSeenAt }: SignedIn,
  now = new Date(),
): Promise<void> {
  if (now.getTime() - lastSeenAt.getTime() <= touchEveryMs) return
  const { session } = unaudited(db(), 'when a session was last used, to the minute')
  await session.updateMany({ where: { id: sessionId }, data: { lastSeenAt: now } })
}

/**
 * Returns whether a local account of this role must have a second factor. An invalid setting requires it of everyone.
 */
export function isAskedOf(role: Role, setting: unknown): boolean {
  if (setting === null || setting === undefined)
    return isAskedOf(role, defaultSettings.secondFactorFor)
  const requirement = SecondFactorFor.safeParse(setting).data ?? 'everyone'
  return requirement === 'everyone' || (requirement === 'admins' && role === 'admin')
}

/** Returns how long a session lasts without activity, in milliseconds. */
export async function sessionIdleMs(): Promise<number> {
  return idleLimitOf((await db().setting.findUnique({ where: { key: idleKey } }))?.value)
}

// Without a valid stored setting, the default applies.
function idleLimitOf(setting: unknown): number {
  return SiteSettings.shape.sessionIdleMs.safeParse(setting).data ?? defaultSettings.sessionIdleMs
}

function counts({ isOpen, expiresAt }: Row, now: Date): boolean {
  return isOpen && expiresAt > now
}

function isIdle({ lastSeenAt, idleMs }: Row, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() > idleLimitOf(idleMs)
}

async function readRow(sessionId: string): Promise<Row | null> {
  const [row] = await db().$queryRaw<unknown[]>`
    SELECT u.id AS "userId", u.email, u.name, u.role::text AS role, s."lastSeenAt", s."authenticatedAt",
      u."oidcSubject" IS NULL AS "isLocal",
      EXISTS (SELECT 1 FROM passkeys p WHERE p."userId" = u.id)
        OR EXISTS (SELECT 1 FROM totp_apps t WHERE t."userId" = u.id AND t."confirmedAt" IS NOT NULL)
        AS "hasSecondFactor",
      s."expiresAt", s."revokedAt" IS NULL AND u."disabledAt" IS NULL AND u."deletedAt" IS NULL AS "isOpen",
     
      (SELECT value FROM settings WHERE key = ${idleKey}) AS "idleMs",
      (SELECT value FROM settings WHERE key = ${secondFactorKey}) AS "secondFactorFor"
    FROM sessions s JOIN users u ON u.id = s."userId" WHERE s.id = ${sessionId}::uuid`
  return row === undefined ? null : Row.parse(row)
}
