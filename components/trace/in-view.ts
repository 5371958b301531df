'use client'
import {
  createContext,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useSyncExternalStore,
} from 'react'

/** The elements of a trace that are on the screen, by their ids. */
export type InView = {
  watch: (id: string, element: Element) => () => void
  subscribe: (listener: () => void) => () => void
  has: (id: string) => boolean
}

/** The header of the page and the strip of the run cover this much of the screen. */
const covered = '-104px 0px 0px 0px'

/** Opens what watches elements with one observer, which begins with the first of them. */
export function openInView(): InView {
  const ids = new Map<Element, string>()
  const seen = new Set<string>()
  const listeners = new Set<() => void>()
  let observer: IntersectionObserver | null = null
  const notice = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) {
      const id = ids.get(target)
      if (id === undefined) continue
      if (isIntersecting) seen.add(id)
      else seen.delete(id)
    }
    for (const listener of listeners) listener()
  }
  return {
    watch: (id, element) => {
      if (typeof IntersectionObserver === 'undefined') return () => {}
      observer ??= new IntersectionObserver(notice, { rootMargin: covered })
      ids.set(element, id)
      observer.observe(element)
      return () => {
        observer?.unobserve(element)
        ids.delete(element)
        seen.delete(id)
      }
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    has: (id) => seen.has(id),
  }
}

const InViewContext = createContext<InView | null>(null)

export const InViewProvider = InViewContext.Provider

/** Tells the picture of the run while this element is on the screen, where there is one. */
export function useWatchedView(id: string, element: RefObject<Element | null>): void {
  const view = useContext(InViewContext)
  // External system: the part of the page that is on the screen.
  useEffect(() => {
    if (!view || !element.current) return
    return view.watch(id, element.current)
  }, [view, id, element])
}

const never = () => () => {}

/** Returns whether the element with this id is on the screen. */
export function useInView(id: string): boolean {
  const view = useContext(InViewContext)
  const read = useCallback(() => view?.has(id) ?? false, [view, id])
  return useSyncExternalStore(view?.subscribe ?? never, read, () => false)
}
