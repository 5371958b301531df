import { z } from 'zod'
import { db } from '../kernel/db'

const lifetimeMs = 5 * 60_000

/** What a challenge was made for. Another purpose, or another session or sign-in, cannot use it. */
export type ChallengeUse =
  | { purpose: 'enrol' | 'confirm'; subject: string }
  | { purpose: 'second-factor'; subject: string }
  | { purpose: 'sign-in'; subject: '' }

/** Stores a challenge for five minutes; expired ones go away. */
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
 * Uses up the challenge that an authenticator's answer names and returns it; null when it was never given for this, was
 * used already or is older than five minutes. Of several at once one gets it.
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
