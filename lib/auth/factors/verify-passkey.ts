import type { generateAuthenticationOptions } from '@simplewebauthn/server'
import { z } from 'zod'
import { db, unaudited } from '@/lib/kernel/db'
import { UnauthenticatedError } from '@/lib/kernel/errors'
import { logCounted } from '@/lib/kernel/log-counted'
import { parseInput } from '@/lib/kernel/parse-input'
import {
  type ChallengeUse,
  requirePasskeySite,
  storeChallenge,
  takeChallenge,
} from './passkey-challenge'

const part = z
  .string()
  .max(8_192)
  .regex(/^[A-Za-z0-9_-]*$/)

/** The members that are read of an answer. */
export type PasskeyAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

/** JSON from `navigator.credentials.get`. Everything in it may be forged, and browsers add members. */
export const PasskeyAnswer: z.ZodType<PasskeyAnswer, PasskeyAnswer> = z.looseObject({
  id: part.min(1),
  rawId: part,
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.optional(),
  }),
})

export type PasskeyRequest = Awaited<ReturnType<typeof generateAuthenticationOptions>>

/** Returns what a browser asks an authenticator; `userId` = only with a passkey of this account. */
export async function passkeyRequest(use: ChallengeUse, userId?: string): Promise<PasskeyRequest> {
  const { rpId } = requirePasskeySite()
  const mine = userId === undefined ? [] : await db().passkey.findMany({ where: { userId } })
  // Imported at the first use, as in enrol-passkey.ts.
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    userVerification: 'required',
    allowCredentials: mine.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
  })
  await storeChallenge(options.challenge, use)
  return options
}

/**
 * Returns whose passkey signed the challenge, with the person verified by the authenticator. The challenge is used up
 * in any case. Throws PasskeyRefused for anything else; why stands in the server log.
 */
export async function verifyPasskey(
  input: PasskeyAnswer,
  use: ChallengeUse,
  userId?: string,
): Promise<{ userId: string; passkeyId: string }> {
  const { rpId, origins } = requirePasskeySite()
  const answer = parseInput(PasskeyAnswer, input)
  const challenge = await takeChallenge(answer.response.clientDataJSON, use)
  if (challenge === null) throw refused('its challenge is unknown, used or too old')
  const passkey = await db().passkey.findUnique({
    where: { credentialId: answer.id },
    include: { user: { select: { email: true } } },
  })
  if (!passkey) throw refused('it belongs to no account')
  const owner = passkey.user.email
  if (userId !== undefined && passkey.userId !== userId) throw refused('it is of another account')
  const { userHandle } = answer.response
  if (userHandle !== undefined && userHandle !== userHandleOf(passkey.userId)) {
    throw refused('it names another account', owner)
  }
  const { credentialId, publicKey, counter } = passkey
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpId,
    credential: { id: credentialId, publicKey, counter: Number(counter) },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw refused(error instanceof Error ? error.message : 'it cannot be read', owner)
  })
  if (!verified.verified) throw refused('its signature is wrong', owner)
  const client = unaudited(db(), 'when a passkey was last used, and how often')
  const { count } = await client.passkey.updateMany({
    where: { id: passkey.id, counter },
    data: { counter: verified.authenticationInfo.newCounter, lastUsedAt: new Date() },
  })
  if (count === 0) throw refused('it was used or removed at the same moment', owner)
  return { userId: passkey.userId, passkeyId: passkey.id }
}

/** Returns how authenticators know an account: the bytes of its id. */
export function userHandleBytes(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
}

function userHandleOf(userId: string): string {
  return Buffer.from(userHandleBytes(userId)).toString('base64url')
}

/** `owner` is the e-mail address of the account that the passkey belongs to, where it belongs to one. */
export class PasskeyRefused extends UnauthenticatedError {
  constructor(readonly owner: string | null) {
    super('The passkey was not accepted. Try again, or use another way.')
  }
}

function refused(why: string, owner: string | null = null): PasskeyRefused {
  logCounted('warn', [why], { source: 'auth', why: why.slice(0, 300) }, 'A passkey was refused')
  return new PasskeyRefused(owner)
}
