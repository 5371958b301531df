import type { SignInOrigin } from '@/lib/auth/open-session'

/** Returns a browser at this address that never signed in before. */
export function originAt(ipAddress: string | null): SignInOrigin {
  return { ipAddress, userAgent: 'vitest', countedAddress: ipAddress, browserCookie: undefined }
}
