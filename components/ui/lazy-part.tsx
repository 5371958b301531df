'use client'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useToast } from './toast'

type Closable = { onClose?: () => void }

/**
 * Returns a component whose code is loaded when it is shown for the first time: for dialogs and the like, which most
 * visits never open. It shows nothing until then; once loaded, it is shown at once. When the server does not answer, a
 * message says so and it closes; the next time it is loaded again. Spread `soon` on the button that opens it, or call
 * `useWhenIdle(prepare)` where it has to open at once.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | null = null
  let loading = begin()
  function begin() {
    return lazy(async () => {
      try {
        loaded = await load()
        return { default: loaded }
      } catch {
        loading = begin()
        return { default: NotLoaded }
      }
    })
  }
  function LazyPart(props: P) {
    // Chosen once: another component in its place would begin anew and lose what was typed.
    const [Part] = useState<ComponentType<P>>(() => loaded ?? loading)
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    )
  }
  // Loads it for somebody who is about to open it; a failure is told when it is opened.
  const prepare = () =>
    void load().then(
      (part) => {
        loaded = part
      },
      () => {},
    )
  return Object.assign(LazyPart, { prepare, soon: { onPointerEnter: prepare, onFocus: prepare } })
}

/** Loads a part once the page is there and the browser has nothing else to do. */
export function useWhenIdle(prepare: () => void): void {
  // External system: the time that the browser has left.
  useEffect(() => {
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(prepare, 1_000)
      return () => clearTimeout(timer)
    }
    const idle = requestIdleCallback(prepare, { timeout: 3_000 })
    return () => cancelIdleCallback(idle)
  }, [prepare])
}

/** Tells the person once that a part could not be loaded, and closes it. */
function NotLoaded({ onClose }: Closable) {
  const toast = useToast()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    toast({
      tone: 'error',
      title: 'This could not be opened',
      description: 'The server did not answer. Try again.',
    })
    onClose?.()
  }, [])
  return null
}
