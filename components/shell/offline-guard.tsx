'use client'
import { useEffect, useEffectEvent } from 'react'
import { useToast } from '@/components/ui/toast'

/**
 * Keeps the page when a link is followed while the browser is offline, because its error page would take the place of what was
 * typed. A server on this machine may still answer.
 */
export function OfflineGuard() {
  const toast = useToast()
  const onClick = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (!(link instanceof HTMLAnchorElement) || navigator.onLine || !isPlain) return
    if (link.origin !== location.origin || link.target !== '' || link.hash !== '') return
    event.preventDefault()
    event.stopPropagation()
    void follow(link)
  })
  const follow = async (link: HTMLAnchorElement) => {
    const answer = await fetch('/api/health', { cache: 'no-store' }).catch(() => null)
    if (answer?.ok) return location.assign(link.href)
    toast({
      tone: 'error',
      title: 'You are offline',
      description: 'This page stays open. Follow the link again when you are online.',
      about: 'offline',
    })
  }
  // Outside system: the browser, whose own error page would follow. Before React's listener, which follows links.
  useEffect(() => {
    const listener = (event: MouseEvent) => onClick(event)
    document.addEventListener('click', listener, { capture: true })
    return () => document.removeEventListener('click', listener, { capture: true })
  }, [])
  return null
}
