import { env } from '../../kernel/env'
import { ConflictError } from '../../kernel/errors'

/** Whether anybody signs in with a password here; TOOLGATE_PASSWORD_SIGN_IN says so. */
export function passwordSignInIsOn(): boolean {
  return env().TOOLGATE_PASSWORD_SIGN_IN === 'on'
}

/** A password, or a link to set one, would be of no use where nobody signs in with one. */
export function requirePasswordSignIn(): void {
  if (passwordSignInIsOn()) return
  throw new ConflictError(
    'Passwords are switched off here (TOOLGATE_PASSWORD_SIGN_IN). People sign in through the identity provider.',
  )
}
