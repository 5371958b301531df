'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** Calls `onGone` when `part` goes away while the focus is in it: without it, the focus would be lost. */
export function useLeavingFocus(part: RefObject<HTMLElement | null>, onGone: () => void): void {
  const latest = useRef(onGone)
  // Outside system: the document's focus. What to do may change, when does not.
  useEffect(() => {
    latest.current = onGone
  })
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (element?.contains(document.activeElement)) queueMicrotask(() => latest.current())
    }
  }, [part])
}
