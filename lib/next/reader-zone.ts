import 'server-only'
import { cookies } from 'next/headers'
import { isTimeZone, zoneCookie } from '@/lib/words/time-zone'

/** Returns the time zone of the reader's browser; UTC where it has not said one yet. */
export async function readerZone(): Promise<string> {
  const said = (await cookies()).get(zoneCookie)?.value ?? ''
  return isTimeZone(said) ? said : 'UTC'
}
