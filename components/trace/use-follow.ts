'use client'

import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { callShown } from './call-target'

/** A reader closer than this to the end is reading the end. */
const nearPx = 80
/**
 * A scroll within this time after a key, wheel or touch is the reader's. Others come from content that changes size.
 */
const readerMs = 400
/** For this long after it moved onto something to click, a pointer counts as about to click. */
const aimingMs = 1_500

type PointerMove = { target: EventTarget; movementX: number; movementY: number }

/**
 * Keeps the end of a growing trace in sight until the reader scrolls up, opens something or follows a link to a call, and
 * waits while the pointer aims at something: nothing moves under it. `behind` = there is more below than can be seen.
 */
export function useFollow(content: RefObject<HTMLElement | null>, live: boolean) {
  const [wasLive] = useState(live)
  const following = useRef(live)
  const aimedAt = useRef(Number.NEGATIVE_INFINITY)
  const [behind, setBehind] = useState(false)

  const toEnd = useCallback(() => {
    const page = document.scrollingElement
    if (page) page.scrollTop = page.scrollHeight
  }, [])

  // External system: the page's scroll position and the height of what is in it.
  useEffect(() => {
    const element = content.current
    const page = document.scrollingElement
    if (!element || !page || !wasLive) return
    let lastTop = page.scrollTop
    const reader = watchReader()
    const atEnd = () => page.scrollHeight - page.clientHeight - page.scrollTop < nearPx
    const onScroll = () => {
      if (atEnd()) following.current = true
      else if (reader.scrolls() && page.scrollTop < lastTop) following.current = false
      lastTop = page.scrollTop
      setBehind(!atEnd() && !following.current)
    }
    const onGrowth = () => {
      if (following.current && performance.now() - aimedAt.current > aimingMs) toEnd()
      else setBehind(!atEnd())
    }
    const onShown = () => {
      following.current = false
    }
    const growth = new ResizeObserver(onGrowth)
    growth.observe(element)
    document.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener(callShown, onShown)
    return () => {
      growth.disconnect()
      reader.release()
      document.removeEventListener('scroll', onScroll)
      element.removeEventListener(callShown, onShown)
    }
  }, [content, wasLive, toEnd])

  const aim = useCallback(({ target, movementX, movementY }: PointerMove) => {
    // Scrolling under a resting pointer also causes events, but without movement.
    if (movementX === 0 && movementY === 0) return
    const clickable = target instanceof Element && target.closest('button, a, summary') !== null
    aimedAt.current = clickable ? performance.now() : Number.NEGATIVE_INFINITY
  }, [])

  const stay = useCallback((target: EventTarget) => {
    if (target instanceof Element && target.closest('button, summary')) following.current = false
  }, [])

  const jump = useCallback(() => {
    following.current = true
    aimedAt.current = Number.NEGATIVE_INFINITY
    setBehind(false)
    toEnd()
  }, [toEnd])

  return { behind: behind && live, jump, aim, stay }
}

/**
 * Returns what tells scrolling by the reader (wheel, touch, key, scrollbar) from scrolling by a page that changes size.
 */
function watchReader() {
  let lastInput = Number.NEGATIVE_INFINITY
  let pressed = false
  const listening = new AbortController()
  const options = { passive: true, signal: listening.signal }
  for (const input of ['wheel', 'touchmove', 'keydown'] as const) {
    document.addEventListener(
      input,
      () => {
        lastInput = performance.now()
      },
      options,
    )
  }
  // Browsers do not report the release of a scrollbar. The next movement shows that no button is down.
  for (const input of ['pointerdown', 'pointermove', 'pointerup'] as const) {
    document.addEventListener(
      input,
      (event) => {
        pressed = event.buttons !== 0
      },
      options,
    )
  }
  return {
    scrolls: () => pressed || performance.now() - lastInput < readerMs,
    release: () => listening.abort(),
  }
}
