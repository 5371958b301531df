/** Asked before what was typed is lost. */
export const leaveQuestion = 'Leave without saving? Your changes will be lost.'

const guards = new Set<object>()
/** The entry of the history that holds what is unsaved, as the router wrote it. */
let here: { state: unknown; href: string } = { state: null, href: '/' }

/**
 * For whoever leads to another page without a link: asks when something on this one is unsaved. No `href` = wherever it
 * leads; the same page at another address keeps what was typed.
 */
export function mayLeave(href?: string): boolean {
  if (guards.size === 0 || (href !== undefined && !leadsAway(href))) return true
  return window.confirm(leaveQuestion)
}

/** Outside systems: the tab, its links and its history. Asks before they leave the page, until it is called off. */
export function guardPage(): () => void {
  const guard = {}
  guards.add(guard)
  window.addEventListener('beforeunload', onUnload)
  document.addEventListener('click', onClick, { capture: true })
  return () => {
    guards.delete(guard)
    if (guards.size === 0) stopListening()
  }
}

/** Nothing more is asked: for whoever asked already and leaves for good. */
export function forgetUnsaved(): void {
  guards.clear()
  stopListening()
}

/**
 * Lets the guards hear of Back and Forward. Call it once, before the router is there: listeners of a window hear in the
 * order in which they came, and a Back that was not meant must not reach the router.
 */
export function watchHistory(): void {
  window.addEventListener('popstate', onHistory)
}

/** Where to come back to when Back was pressed and is not meant. */
export function rememberHere(): void {
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

/** Back and Forward: the address has changed already, so it is put back, and the router never hears of it. */
function onHistory(event: PopStateEvent): void {
  if (guards.size === 0 || window.location.pathname === new URL(here.href).pathname) return
  if (window.confirm(leaveQuestion)) return
  event.stopImmediatePropagation()
  window.history.pushState(here.state, '', here.href)
}

/** To another page of this site; for another site the tab itself asks. */
function leadsAway(href: string): boolean {
  const to = new URL(href, window.location.href)
  return to.origin === window.location.origin && to.pathname !== window.location.pathname
}
