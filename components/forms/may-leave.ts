'use client'
import { useEffect } from 'react'

/** The question before unsaved input is lost. */
export const leaveQuestion = 'Leave without saving? Your changes will be lost.'

const guards = new Set<object>()
/** The history entry of the page with unsaved input, as the router wrote it. */
let here: { state: unknown; href: string } = { state: null, href: '/' }

/**
 * Asks whether to leave the page when something is unsaved, and returns the answer. Call it before leaving without a
 * link. No `href` = any page. Another address of the same page does not ask, because it keeps the input.
 */
export function mayLeave(href?: string): boolean {
  if (guards.size === 0 || (href !== undefined && !leadsAway(href))) return true
  return window.confirm(leaveQuestion)
}

/**
 * Asks before the tab, a link or the history leaves the page, until the returned function is called. External systems:
 * the tab, its links and its history.
 */
function guardPage(): () => void {
  const guard = {}
  guards.add(guard)
  window.addEventListener('beforeunload', onUnload)
  document.addEventListener('click', onClick, { capture: true })
  return () => {
    guards.delete(guard)
    if (guards.size === 0) stopListening()
  }
}

/** Removes all guards, for code that has already asked and leaves the page. */
export function forgetUnsaved(): void {
  guards.clear()
  stopListening()
}

/**
 * Makes the guards ask on Back and Forward. Call it once, before the router starts: a Back that the person cancels must
 * not reach the router, and browsers call the listeners of the window in the order in which they were added, captured
 * or not. Only instrumentation-client.ts runs that early. The browser's own way, the event "navigate", can be cancelled
 * only once for each thing that the person does on the page.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', onHistory)
}

/** Stores the current history entry, which is restored when the person cancels a Back. */
function rememberHere(): void {
  here = { state: window.history.state, href: window.location.href }
}

function stopListening(): void {
  window.removeEventListener('beforeunload', onUnload)
  document.removeEventListener('click', onClick, { capture: true })
}

function onUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function onClick(event: MouseEvent): void {
  const { target, ctrlKey, metaKey } = event
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!link || ctrlKey || metaKey) return
  if (link.hasAttribute('download') || link.getAttribute('target') === '_blank') return
  if (mayLeave(link.getAttribute('href') ?? '')) return
  event.preventDefault()
  event.stopPropagation()
}

/**
 * Asks on Back and Forward. The address has already changed; on Cancel it is restored, and the router gets no event.
 */
function onHistory(event: PopStateEvent): void {
  if (guards.size === 0 || window.location.pathname === new URL(here.href).pathname) return
  if (window.confirm(leaveQuestion)) return
  event.stopImmediatePropagation()
  window.history.pushState(here.state, '', here.href)
}

/** Returns whether an address is another page of this site. For other sites, `beforeunload` asks. */
function leadsAway(href: string): boolean {
  const to = new URL(href, window.location.href)
  return to.origin === window.location.origin && to.pathname !== window.location.pathname
}

/** Asks before unsaved input is lost: when the tab is closed, on a link, on Back, and on `mayLeave`. */
export function useUnsavedGuard(unsaved: boolean): void {
  useEffect(() => {
    if (unsaved) return guardPage()
  }, [unsaved])
  // External system: the history. The router may have replaced this entry since.
  useEffect(() => {
    if (unsaved) rememberHere()
  })
}
