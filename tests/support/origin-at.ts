import type { SignInOrigin } from '@/lib/auth/open-session'

/** A browser that never signed in before, at this address. */
export function originAt(ipAddress: string | null): SignInOrigin {
  return { ipAddress, userAgent: 'vitest', countedAddress: ipAddress, browserCookie: undefined }
}
