import { signIn } from 'next-auth/react'

/** Opens a session in this browser; null when it worked, otherwise why not, in one sentence. */
export async function openSession(email: string, password: string): Promise<string | null> {
  try {
    const result = await signIn('credentials', { redirect: false, email, password })
    if (result?.ok && !result.error) return null
    return reasonOf(result?.error)
  } catch {
    return 'The server cannot be reached. Check the connection and try again.'
  }
}

function reasonOf(error: string | null | undefined): string {
  // next-auth's own codes are one word; ours are sentences.
  if (error?.includes(' ')) return error
  return error === 'CredentialsSignin'
    ? 'The e-mail address or the password is wrong.'
    : 'Signing in did not work. Reload the page and try again.'
}
