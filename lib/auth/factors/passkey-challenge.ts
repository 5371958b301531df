import { isIP } from 'node:net'
import { z } from 'zod'
import { db } from '@/lib/kernel/db'
import { type Env, env } from '@/lib/kernel/env'
import { ConflictError } from '@/lib/kernel/errors'

const lifetimeMs = 5 * 60_000

/** The purpose of a challenge. No other purpose, session or sign-in can use it. */
export type ChallengeUse =
  | { purpose: 'enrol' | 'confirm'; subject: string }
  | { purpose: 'second-factor'; subject: string }
  | { purpose: 'sign-in'; subject: '' }

/** Stores a challenge for five minutes, and deletes expired ones. */
export async function storeChallenge(
  challenge: string,
  { purpose, subject }: ChallengeUse,
  now = new Date(),
): Promise<void> {
  await db().passkeyChallenge.deleteMany({ where: { expiresAt: { lt: now } } })
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  await db().passkeyChallenge.create({ data: { challenge, purpose, subject, expiresAt } })
}

const ClientData = z.object({ challenge: z.string().min(1).max(200) })

/**
 * Deletes and returns the challenge that an authenticator's answer names; null when it was made for something else, was
 * used before or is older than five minutes. Of several simultaneous callers, one gets it.
 */
export async function takeChallenge(
  clientDataJson: string,
  { purpose, subject }: ChallengeUse,
  now = new Date(),
): Promise<string | null> {
  const challenge = challengeIn(clientDataJson)
  if (challenge === null) return null
  const { count } = await db().passkeyChallenge.deleteMany({
    where: { challenge, purpose, subject, expiresAt: { gt: now } },
  })
  return count === 1 ? challenge : null
}

function challengeIn(clientDataJson: string): string | null {
  try {
    const text = Buffer.from(clientDataJson, 'base64url').toString('utf8')
    return ClientData.safeParse(JSON.parse(text)).data?.challenge ?? null
  } catch {
    return null
  }
}

/** `rpId` is the name passkeys are bound to; `origins` are the addresses they may be used at. */
export type PasskeySite =
  | { type: 'available'; rpId: string; origins: string[] }
  | { type: 'unavailable'; reason: string }

/**
 * Returns whether browsers allow passkeys at the address of this installation (TOOLGATE_URL): https with a name, or
 * localhost. Nothing of it comes from a request, which could name another site.
 */
export function passkeySite(
  { TOOLGATE_URL, PORT }: Pick<Env, 'TOOLGATE_URL' | 'PORT'> = env(),
): PasskeySite {
  const { protocol, hostname, origin } = new URL(TOOLGATE_URL)
  if (hostname === 'localhost') {
    // The address may name another port than the one this process listens on, such as the default one.
    const own = PORT === undefined ? [] : [`http://localhost:${PORT}`]
    return { type: 'available', rpId: hostname, origins: [...new Set([origin, ...own])] }
  }
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  if (protocol === 'https:' && isName) {
    return { type: 'available', rpId: hostname, origins: [origin] }
  }
  const reason = `Browsers allow passkeys only at an https address with a host name, or at http://localhost. The address of this installation is ${origin} (TOOLGATE_URL).`
  return { type: 'unavailable', reason }
}

/** Returns the available `passkeySite`. Throws ConflictError with the reason where passkeys are unavailable. */
export function requirePasskeySite(): Extract<PasskeySite, { type: 'available' }> {
  const site = passkeySite()
  if (site.type === 'available') return site
  throw new ConflictError(`Passkeys cannot be used here. ${site.reason}`)
}
