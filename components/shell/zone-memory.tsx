'use client'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { zoneCookie } from '@/lib/words/time-zone'
import { remember } from './remember'

/**
 * Tells the server the time zone of this browser, in a cookie, and reads the page again when the server knew another one.
 * `known`: the zone in which the page was made.
 */
export function ZoneMemory({ known }: { known: string }) {
  const router = useRouter()
  // External system: the clock of the browser, and its cookies.
  useEffect(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    if (!timeZone || timeZone === known) return
    remember(zoneCookie, timeZone)
    // A browser that keeps no cookies would be asked again and again.
    if (document.cookie.includes(`${zoneCookie}=`)) router.refresh()
  }, [known, router])
  return null
}
