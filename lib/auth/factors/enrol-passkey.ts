import type { generateRegistrationOptions } from '@simplewebauthn/server'
import { z } from 'zod'
import { makeChange } from '@/lib/edge/verb'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, isUniqueViolation } from '@/lib/kernel/db'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { logCounted } from '@/lib/kernel/log-counted'
import { parseInput } from '@/lib/kernel/parse-input'
import { Name } from '@/lib/shape/identifier'
import { requirePasskeySite, storeChallenge, takeChallenge } from './passkey-challenge'
import {
  type EnrolledFactor,
  firstRecoveryCodes,
  lockLocalAccount,
  makeFirstCodes,
  mostFactors,
} from './second-factor'
import { userHandleBytes } from './verify-passkey'

const part = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]*$/)

type Created<T> = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string } & T
}

/** JSON from `navigator.credentials.create`. Everything in it may be forged, and browsers add members. */
const CreatedPasskey: z.ZodType<
  Created<{ transports: string[] }>,
  Created<{ transports?: string[] | undefined }>
> = z.looseObject({
  id: part.min(1),
  rawId: part,
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(30)).max(10).default([]),
  }),
})

export const NewPasskey = z.object({ name: Name, answer: CreatedPasskey })
export type NewPasskey = z.input<typeof NewPasskey>

export type PasskeyEnrolment = Awaited<ReturnType<typeof generateRegistrationOptions>>

/** Returns what the browser asks an authenticator to make: a passkey that works without a user name. */
export async function passkeyEnrolment(ctx: Ctx, sessionId: string): Promise<PasskeyEnrolment> {
  requireRole(ctx, 'member')
  const { rpId } = requirePasskeySite()
  const { userId, email } = ctx.actor
  const known = await db().passkey.findMany({ where: { userId } })
  // Imported at the first use: its certificate classes take a tenth of the time of a start.
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Toolgate',
    rpID: rpId,
    userName: email,
    userID: userHandleBytes(userId),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(options.challenge, { purpose: 'enrol', subject: sessionId })
  return options
}

/**
 * Adds a passkey to one's own account. The first factor of an account brings its recovery codes. Throws ValidationError
 * when the authenticator's answer is not one to the last question, ConflictError when the passkey is known already.
 */
export async function addPasskey(
  ctx: Ctx,
  input: NewPasskey,
  sessionId: string,
): Promise<EnrolledFactor> {
  requireRole(ctx, 'member')
  const { name, answer } = parseInput(NewPasskey, input)
  const credential = await verify(answer, sessionId)
  const { userId } = ctx.actor
  const made = await makeFirstCodes(userId)
  try {
    return await makeChange(async (tx) => {
      await lockLocalAccount(tx, userId)
      if ((await tx.passkey.count({ where: { userId } })) >= mostFactors) throw tooMany()
      const passkey = await tx.passkey.create({
        data: {
          userId,
          name,
          credentialId: credential.id,
          publicKey: credential.publicKey,
          counter: credential.counter,
          transports: answer.response.transports,
        },
      })
      const added = { action: 'second-factor.add', type: 'user', subject: userId } as const
      const after = { kind: 'passkey', name }
      return {
        output: { id: passkey.id, recoveryCodes: await firstRecoveryCodes(tx, userId, made) },
        changes: [{ by: ctx, ...added, after }],
      }
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new ConflictError('This passkey is already added.')
    throw error
  }
}

async function verify(answer: z.output<typeof NewPasskey>['answer'], sessionId: string) {
  const { rpId, origins } = requirePasskeySite()
  const use = { purpose: 'enrol', subject: sessionId } as const
  const challenge = await takeChallenge(answer.response.clientDataJSON, use)
  if (challenge === null) throw refused('its challenge is unknown, used or too old')
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const result = await verifyRegistrationResponse({
    response: {
      ...answer,
      response: { ...answer.response, transports: [] },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw refused(error instanceof Error ? error.message : 'it cannot be read')
  })
  if (!result.verified) throw refused('its signature is wrong')
  return result.registrationInfo.credential
}

function tooMany(): ConflictError {
  return new ConflictError(`An account has at most ${mostFactors} passkeys. Remove one first.`)
}

function refused(why: string): ValidationError {
  logCounted('warn', [why], { source: 'auth', why: why.slice(0, 300) }, 'A new passkey was refused')
  return new ValidationError({ '': 'The passkey was not accepted. Try again.' })
}
