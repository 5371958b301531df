import type { ActionResult } from '@/lib/next/action'

/** `second-factor`: the password was right, and the sign-in page asks for the rest. `why` is one sentence. */
type Opening = { type: 'open' } | { type: 'second-factor' } | { type: 'refused'; why: string }

/** Opens a session in this browser. */
export function openSession(email: string, password: string): Promise<Opening> {
  return send('credentials', { email, password })
}

/** Ends a sign-in that waits for its second factor: with a code, or with a passkey's answer as JSON. */
export function finishSession(factor: { code: string } | { passkey: string }): Promise<Opening> {
  return send('second-factor', factor)
}

/** Opens a session with a passkey's answer as JSON. */
export function openSessionWithPasskey(passkey: string): Promise<Opening> {
  return send('passkey', { passkey })
}

/** Returns an opening as the answer that a form understands. */
export function openingResult(opening: Opening): ActionResult<'open' | 'second-factor'> {
  if (opening.type !== 'refused') return { ok: true, value: opening.type }
  return { ok: false, error: { code: 'refused', message: opening.why } }
}

async function send(provider: string, fields: Record<string, string>): Promise<Opening> {
  try {
    const { signIn } = await import('next-auth/react')
    const result = await signIn(provider, { redirect: false, ...fields })
    if (result?.ok && !result.error) return { type: 'open' }
    if (result?.error === 'second-factor') return { type: 'second-factor' }
    return { type: 'refused', why: reasonOf(result?.error) }
  } catch {
    const why = 'The server cannot be reached. Try again.'
    return { type: 'refused', why }
  }
}

function reasonOf(error: string | null | undefined): string {
  // The codes of next-auth are one word; those of Toolgate are sentences.
  if (error?.includes(' ')) return error
  return error === 'CredentialsSignin'
    ? 'Wrong e-mail address or password.'
    : 'Not signed in. Reload the page.'
}
