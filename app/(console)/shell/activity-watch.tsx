'use client'
import { useEffect } from 'react'

const everyMs = 60_000

/**
 * Tells the server, at most once a minute, that somebody uses this page: requests that pages send by themselves do not
 * keep a session alive. External systems: keyboard, pointer and server.
 */
export function ActivityWatch() {
  useEffect(() => {
    // Loading the page already counted as activity.
    let reportedAt = Date.now()
    const tell = () => {
      if (Date.now() - reportedAt < everyMs) return
      reportedAt = Date.now()
      void fetch('/api/session/activity', { method: 'POST', keepalive: true }).catch(() => {
        // The server is down; the next key press or click tries again.
        reportedAt = 0
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
