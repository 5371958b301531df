'use client'

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Closer than this to the end counts as reading the end. */
const nearPx = 80

/**
 * Keeps the end of a growing trace in sight until the reader scrolls up, opens something, or rests the pointer on
 * something that can be clicked: nothing moves under the pointer. `behind` = there is more below than can be seen.
 */
export function useFollow(content: RefObject<HTMLElement | null>, live: boolean) {
  const [wasLive] = useState(live)
  const following = useRef(live)
  const held = useRef(false)
  const [behind, setBehind] = useState(false)

  const toEnd = useCallback(() => {
    const page = document.scrollingElement
    if (page) page.scrollTop = page.scrollHeight
  }, [])

  // Outside system: the page's scroll position and the height of what is in it.
  useEffect(() => {
    const element = content.current
    const page = document.scrollingElement
    if (!element || !page || !wasLive) return
    let lastTop = page.scrollTop
    const atEnd = () => page.scrollHeight - page.clientHeight - page.scrollTop < nearPx
    const onScroll = () => {
      if (atEnd()) following.current = true
      else if (page.scrollTop < lastTop) following.current = false
      lastTop = page.scrollTop
      setBehind(!atEnd() && !following.current)
    }
    const onGrowth = () => {
      if (following.current && !held.current) toEnd()
      else setBehind(!atEnd())
    }
    const growth = new ResizeObserver(onGrowth)
    growth.observe(element)
    document.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growth.disconnect()
      document.removeEventListener('scroll', onScroll)
    }
  }, [content, wasLive, toEnd])

  const hold = useCallback((target: EventTarget) => {
    held.current = target instanceof Element && target.closest('button, a, summary') !== null
  }, [])

  const stay = useCallback((target: EventTarget) => {
    if (target instanceof Element && target.closest('button, summary')) following.current = false
  }, [])

  const jump = useCallback(() => {
    following.current = true
    held.current = false
    setBehind(false)
    toEnd()
  }, [toEnd])

  return { behind: behind && live, jump, hold, stay }
}
