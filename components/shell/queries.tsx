'use client'
import {
  focusManager,
  QueryClient,
  QueryClientProvider,
  type QueryFunctionContext,
  type QueryKey,
  type QueryState,
  useQuery,
} from '@tanstack/react-query'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useId, useState, useTransition } from 'react'
import { sendAction } from '@/components/forms/use-act'
import type { ActionResult } from '@/lib/next/action'

/** Provides the client for what open pages read by themselves. Pages and streams of runs do not use it. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(newClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

function newClient(): QueryClient {
  const queries = {
    retry: false,
    // The browser's "online" is about the internet, and this server may be reachable without it.
    networkMode: 'always',
    // Otherwise an old answer could be shown again much later.
    gcTime: 10_000,
  } as const
  return new QueryClient({ defaultOptions: { queries } })
}

// The browser reports "visible" only for tabs. A window that gets the focus again counts, too.
focusManager.setEventListener((onReturn) => {
  if (typeof window === 'undefined') return
  const listen = () => onReturn()
  window.addEventListener('focus', listen)
  document.addEventListener('visibilitychange', listen)
  return () => {
    window.removeEventListener('focus', listen)
    document.removeEventListener('visibilitychange', listen)
  }
})

/** Thrown when the session is over. */
class SignedOut extends Error {}

/** Reads JSON from an address of this server. Throws when there is no answer, or another one than `fits` accepts. */
export async function readJson<T>(
  address: string,
  fits: (body: unknown) => body is T,
  signal: AbortSignal,
): Promise<T> {
  const response = await fetch(address, { cache: 'no-store', signal })
  if (response.status === 401) throw new SignedOut()
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  const body: unknown = await response.json()
  if (!fits(body)) throw new Error('The server’s answer cannot be read.')
  return body
}

/** Reads through an action. Throws when it fails, with a message for people. */
export async function readThrough<T>(send: () => Promise<ActionResult<T>>): Promise<T> {
  const result = await sendAction(send)
  if (result.ok) return result.value
  const { code, message } = result.error
  throw code === 'unauthenticated' ? new SignedOut(message) : new Error(message)
}

/**
 * Returns the options of a query that keeps up with the server: it reads at intervals while the page is visible, and
 * when people return to the page. After a failure the last value stays. When the session is over, the intervals end.
 */
export function reading(everyMs: number) {
  const refetchInterval = ({ state }: { state: QueryState<unknown> }) =>
    state.error instanceof SignedOut ? false : everyMs
  return { refetchInterval, refetchOnMount: false, refetchOnWindowFocus: 'always' } as const
}

type Live<T> = {
  key: QueryKey
  read: (context: QueryFunctionContext) => Promise<T>
  everyMs: number
  /** The value that the server rendered into the frame; absent = this query already has it. */
  initial?: T
}

/** Returns a value of the frame that keeps up with the server, as `reading` says and on each page of the console. */
export function useLive<T>({ key, read, everyMs, initial }: Live<T>) {
  const pathname = usePathname()
  const query = useQuery<T>({
    queryKey: key,
    queryFn: read,
    initialData: initial,
    ...reading(everyMs),
  })
  const { refetch } = query
  // External system: the server. The frame is not rendered again for another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    void refetch({ cancelRefetch: false })
  }, [refetch, pathname])
  return query
}

/**
 * Refreshes the page from the server at intervals while it is visible, and when people return to it. Null = no
 * intervals. Waits during another refresh or a navigation, which a new refresh would start again.
 */
export function PageRefresh({ everyMs }: { everyMs: number | null }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  useQuery({
    queryKey: ['page', useId()],
    queryFn: () => {
      startTransition(() => router.refresh())
      return null
    },
    enabled: !pending,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: 'always',
    refetchInterval: everyMs ?? false,
  })
  return null
}

/** Waits, unless `signal` aborts: a question that is out of date after a pause in typing is not sent. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
