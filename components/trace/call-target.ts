import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Bubbles from a call that a link or the address names, once it is open. */
export const callShown = 'toolgate-call-shown'

const request = new EventTarget()

/** Returns the id of the element that shows a call. The id of a call is chosen by a model. */
export function callAnchor(callId: string): string {
  return `call-${encodeURIComponent(callId.toWellFormed())}`
}

/** Returns the id of the element that shows a round. */
export function roundAnchor(round: number): string {
  return `round-${round}`
}

/** Shows a call if it is on this page. A link needs this: a navigation by the router is no change of the hash to the browser. */
export function showCall(callId: string): void {
  showAnchor(callAnchor(callId))
}

/** Shows the round or call with this id, also where the address names it already. */
export function showAnchor(anchor: string): void {
  request.dispatchEvent(new Event(anchor))
}

/**
 * Opens a call or round, scrolls to it and focuses a part of it when the address names it: at first, also where it is shown
 * later than the page, and whenever the hash changes or a link to it is followed. Give the refs to its box and that part.
 */
export function useTarget<Part extends HTMLElement>(anchor: string, open: () => void) {
  const box = useRef<HTMLElement>(null)
  const part = useRef<Part>(null)
  const [arrivals, setArrivals] = useState(0)
  const show = useEffectEvent(() => {
    open()
    setArrivals((before) => before + 1)
  })
  // External system: the address, which the browser, the router and links to calls change.
  useEffect(() => {
    const check = () => {
      if (window.location.hash === `#${anchor}`) show()
    }
    const follow = () => show()
    check()
    window.addEventListener('hashchange', check)
    request.addEventListener(anchor, follow)
    return () => {
      window.removeEventListener('hashchange', check)
      request.removeEventListener(anchor, follow)
    }
  }, [anchor])
  // External system: the page's scroll position and its focus. The call is open by now, so it has its whole height.
  useEffect(() => {
    if (arrivals === 0) return
    box.current?.dispatchEvent(new Event(callShown, { bubbles: true }))
    box.current?.scrollIntoView()
    part.current?.focus({ preventScroll: true })
  }, [arrivals])
  return { box, part }
}
