import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Bubbles from a call that a link or the address names, once it is open. */
export const callShown = 'toolgate-call-shown'

const asked = new EventTarget()

/** Returns the id of the element that shows a call. The id of a call is chosen by a model. */
export function callAnchor(callId: string): string {
  return `call-${encodeURIComponent(callId.toWellFormed())}`
}

/** Shows a call if it is on this page. A link needs this: a navigation by the router is no change of the hash to the browser. */
export function showCall(callId: string): void {
  asked.dispatchEvent(new Event(callAnchor(callId)))
}

/**
 * Opens a call, scrolls to it and focuses its button when the address names it: at first, also where the call is shown
 * later than the page, and whenever the hash changes or a link to it is followed. Give the refs to its box and button.
 */
export function useCallTarget(callId: string, open: () => void) {
  const anchor = callAnchor(callId)
  const box = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [arrivals, setArrivals] = useState(0)
  const show = useEffectEvent(() => {
    open()
    setArrivals((before) => before + 1)
  })
  // Outside system: the address, which the browser, the router and links to calls change.
  useEffect(() => {
    const check = () => {
      if (window.location.hash === `#${anchor}`) show()
    }
    const follow = () => show()
    check()
    window.addEventListener('hashchange', check)
    asked.addEventListener(anchor, follow)
    return () => {
      window.removeEventListener('hashchange', check)
      asked.removeEventListener(anchor, follow)
    }
  }, [anchor])
  // Outside system: the page's scroll position and its focus. The call is open by now, so it has its whole height.
  useEffect(() => {
    if (arrivals === 0) return
    box.current?.dispatchEvent(new Event(callShown, { bubbles: true }))
    box.current?.scrollIntoView()
    button.current?.focus({ preventScroll: true })
  }, [arrivals])
  return { anchor, box, button }
}
