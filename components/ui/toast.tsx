'use client'
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import type { NoticesProps, ShownToast } from './notices'

type ToastMessage = Omit<ShownToast, 'id'>
type Show = (message: ToastMessage) => void

const ToastContext = createContext<Show | null>(null)

/** Returns a function that shows a message in the corner, as text. Errors stay until they are closed. */
export function useToast(): Show {
  const show = useContext(ToastContext)
  if (!show) throw new Error('useToast needs ToastProvider above it')
  return show
}

const mostOthers = 2

/** Drops messages that close by themselves before errors, which stay until they are closed. */
function withRoom(shown: ShownToast[]): ShownToast[] {
  const surplus = shown
    .filter(({ tone }) => tone === 'ok')
    .slice(0, Math.max(0, shown.length - mostOthers))
  return shown.filter((each) => !surplus.includes(each))
}

function isReplaced(old: ShownToast, next: ShownToast): boolean {
  if (next.about && old.about === next.about) return true
  return old.tone === 'error' && old.title === next.title && old.description === next.description
}

/**
 * Shows the messages of the page; rendered once, in the root layout. Their code is loaded once the page can be used and
 * before there is a message, because many a message says that the server does not answer.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([])
  const show = useMemo<Show>(() => {
    let id = 0
    return (message) => {
      id += 1
      const next = { ...message, id }
      setShown((before) => [...withRoom(before.filter((old) => !isReplaced(old, next))), next])
    }
  }, [])
  const Notices = useNotices(shown.length)
  const close = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id))
  return (
    <ToastContext value={show}>
      {children}
      {Notices && <Notices shown={shown} show={show} onClose={close} />}
    </ToastContext>
  )
}

/** Returns what shows messages once it is loaded. Where that fails, the next message tries again. */
function useNotices(count: number): ComponentType<NoticesProps> | null {
  const [Notices, setNotices] = useState<ComponentType<NoticesProps> | null>(null)
  useEffect(() => {
    if (Notices) return
    const load = async () => {
      try {
        const loaded = await import('./notices')
        setNotices(() => loaded.Notices)
      } catch {
        // The server is down.
      }
    }
    if (count > 0) void load()
    else return whenIdle(() => void load())
  }, [Notices, count])
  return Notices
}

/** Calls `act` when the browser has nothing else to do; returns a function that calls it off. */
function whenIdle(act: () => void): () => void {
  // Safari has no `requestIdleCallback`.
  const timer = setTimeout(() => globalThis.requestIdleCallback?.(act) ?? act(), 200)
  return () => clearTimeout(timer)
}
