'use client'
import { useLayoutEffect, useRef } from 'react'

/** The element to which a closing layer would return the focus. A dialog that opens in its place takes it over. */
let leaving: readonly HTMLElement[] = []

/**
 * Returns a handler for `onCloseAutoFocus` of a dialog without a trigger. It returns the focus to the element that had
 * it when the dialog opened (for a menu item, the menu's trigger). If that is gone, the page's content gets it, so that
 * the keyboard does not start at the top again. External system: the document's focus.
 */
export function useReturnFocus(open: boolean): (event: Event) => void {
  const openers = useRef<readonly HTMLElement[]>([])
  // Runs before the paint, while a menu whose item opened the dialog still exists.
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
    // The code that closed the dialog may already have moved the focus.
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

/** Focuses the first element that accepts the focus. Removed, hidden and disabled elements do not. */
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
