'use client'
import { useEffect } from 'react'

const everyMs = 60_000

/**
 * Tells the server, once a minute at most, that somebody uses this page: what pages fetch by themselves keeps no session
 * alive. Outside systems: keyboard, pointer and server.
 */
export function ActivityWatch() {
  useEffect(() => {
    // The page itself was asked for a moment ago.
    let told = Date.now()
    const tell = () => {
      if (Date.now() - told < everyMs) return
      told = Date.now()
      void fetch('/api/session/activity', { method: 'POST', keepalive: true }).catch(() => {
        // The server is away; the next press tries again.
        told = 0
      })
    }
    const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
    for (const sign of signs) window.addEventListener(sign, tell, { passive: true })
    return () => {
      for (const sign of signs) window.removeEventListener(sign, tell)
    }
  }, [])
  return null
}
