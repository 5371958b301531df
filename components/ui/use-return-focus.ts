'use client'
import { useLayoutEffect, useRef } from 'react'

/** Where the focus of a layer that closes right now was to go: what opens in its place takes it over. */
let leaving: readonly HTMLElement[] = []

/**
 * Outside system: the document's focus. For a dialog that has no trigger of its own: remembers what had the focus when it
 * opened (for an item of a menu, the menu's trigger), and gives it back when it closes; where that is gone, the page's
 * content gets it, so that the keyboard does not begin again at the top. Give the answer to `onCloseAutoFocus`.
 */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const openers = useRef<readonly HTMLElement[]>([])
  // Before the paint: a menu whose item opened it is still there.
  useLayoutEffect(() => {
    if (!open) return
    openers.current = [...openerAt(document.activeElement), ...leaving]
    return () => {
      leaving = openers.current
      setTimeout(() => {
        leaving = []
      })
    }
  }, [open])
  return (event) => {
    event.preventDefault()
    // Whoever closed it may have sent the focus somewhere already.
    if (isNowhere(document.activeElement)) giveFocus(openers.current)
  }
}

function openerAt(active: Element | null): HTMLElement[] {
  if (!(active instanceof HTMLElement) || isNowhere(active)) return []
  const menu = active.closest('[role=menu]')
  if (!menu) return [active]
  const trigger = document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return trigger ? [trigger] : []
}

/** To the first that takes it: what is gone, hidden or disabled does not. */
function giveFocus(openers: readonly HTMLElement[]): void {
  const content = document.getElementById('content')
  for (const element of content ? [...openers, content] : openers) {
    element.focus({ preventScroll: true })
    if (document.activeElement === element) return
  }
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body
}
