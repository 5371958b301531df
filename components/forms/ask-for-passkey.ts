'use client'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { ActionResult } from '@/lib/next/action'
import { sendAction } from './use-act'

/**
 * Gets the request for a passkey from the server and asks the browser. Returns the answer, or a sentence that says why
 * there is none.
 */
export function askForPasskey(
  request: () => Promise<ActionResult<PublicKeyCredentialRequestOptionsJSON>>,
) {
  return ask(request, (optionsJSON) => startAuthentication({ optionsJSON }))
}

/**
 * Gets the request for a new passkey from the server and asks the browser to create it. Returns the answer, or a
 * sentence that says why there is none.
 */
export function createPasskey(
  request: () => Promise<ActionResult<PublicKeyCredentialCreationOptionsJSON>>,
) {
  return ask(request, (optionsJSON) => startRegistration({ optionsJSON }))
}

async function ask<O, A>(
  request: () => Promise<ActionResult<O>>,
  browser: (options: O) => Promise<A>,
): Promise<ActionResult<A>> {
  const options = await sendAction(request)
  if (!options.ok) return options
  try {
    return { ok: true, value: await browser(options.value) }
  } catch (error) {
    return { ok: false, error: { code: 'passkey', message: problemOf(error) } }
  }
}

const problems = new Map([
  ['NotAllowedError', 'The request was cancelled or timed out. Try again.'],
  ['AbortError', 'The request was cancelled. Try again.'],
  ['InvalidStateError', 'This device already has a passkey for this account.'],
  [
    'SecurityError',
    'Passkeys do not work at this address. Open Toolgate at its configured address.',
  ],
  ['NotSupportedError', 'This device cannot create such a passkey. Use another device.'],
])

function problemOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  return problems.get(name) ?? 'This browser does not support passkeys. Use another browser.'
}
