import { act, render, screen } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FreezeWatch } from './freeze-watch'
import { PageRefresh, QueryProvider, readJson, useLive } from './queries'

const server = vi.fn<() => Response>()
let visibility: DocumentVisibilityState = 'visible'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async () => server())
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  server.mockReset()
  visibility = 'visible'
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// A little more than asked for, since an interval begins anew with each answer.
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms + 50))
const showPage = (state: DocumentVisibilityState) => {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
}

type Counted = { count: number }
const isCount = (body: unknown): body is Counted => Number.isInteger(Object(body).count)

function Count() {
  const { data } = useLive({
    key: ['count'],
    read: ({ signal }) => readJson('/api/count', isCount, signal),
    everyMs: 10_000,
    initial: { count: 1 },
  })
  return <p>{data?.count}</p>
}

const show = (
  <QueryProvider>
    <Count />
  </QueryProvider>
)

test('a live value is read at intervals, but not while the page is hidden', async () => {
  server.mockImplementation(() => Response.json({ count: server.mock.calls.length + 1 }))
  render(show)
  expect(screen.getByText('1')).toBeVisible()
  await wait(0)
  expect(screen.getByText('2')).toBeVisible()
  await wait(10_000)
  expect(screen.getByText('3')).toBeVisible()
  showPage('hidden')
  await wait(60_000)
  expect(server).toHaveBeenCalledTimes(2)
  showPage('visible')
  await wait(0)
  expect(screen.getByText('4')).toBeVisible()
})

test('after a failure the last value stays, and the intervals go on', async () => {
  server.mockImplementation(() => new Response(null, { status: 503 }))
  render(show)
  await wait(10_000)
  expect(screen.getByText('1')).toBeVisible()
  server.mockImplementation(() => Response.json({ count: 'many' }))
  await wait(10_000)
  expect(screen.getByText('1')).toBeVisible()
  server.mockImplementation(() => Response.json({ count: 7 }))
  await wait(10_000)
  expect(screen.getByText('7')).toBeVisible()
})

test('when the session is over the intervals end, until people return to the page', async () => {
  server.mockImplementation(() => new Response(null, { status: 401 }))
  render(show)
  await wait(120_000)
  expect(server).toHaveBeenCalledTimes(1)
  server.mockImplementation(() => Response.json({ count: 5 }))
  window.dispatchEvent(new Event('focus'))
  await wait(0)
  expect(screen.getByText('5')).toBeVisible()
  await wait(10_000)
  expect(server).toHaveBeenCalledTimes(3)
})

function withRouter(refresh: () => void, children: React.ReactNode) {
  const router: Partial<AppRouterInstance> = { refresh }
  return (
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <QueryProvider>{children}</QueryProvider>
    </AppRouterContext>
  )
}

test('a page is rendered again at intervals if it asks for it, and when people return to it', async () => {
  const refresh = vi.fn()
  const { rerender } = render(withRouter(refresh, <PageRefresh everyMs={3_000} />))
  await wait(2_000)
  expect(refresh).not.toHaveBeenCalled()
  await wait(1_000)
  await wait(3_000)
  expect(refresh).toHaveBeenCalledTimes(2)
  rerender(withRouter(refresh, <PageRefresh everyMs={null} />))
  await wait(30_000)
  showPage('hidden')
  await wait(30_000)
  expect(refresh).toHaveBeenCalledTimes(2)
  showPage('visible')
  await wait(0)
  expect(refresh).toHaveBeenCalledTimes(3)
})

test('a freeze renders the frame again, once', async () => {
  const refresh = vi.fn()
  server.mockImplementation(() => Response.json({ freeze: null }))
  const { rerender } = render(withRouter(refresh, <FreezeWatch frozenAt={null} />))
  await wait(15_000)
  expect(refresh).not.toHaveBeenCalled()
  const at = '2026-11-22T09:30:00.000Z'
  server.mockImplementation(() => Response.json({ freeze: { at } }))
  await wait(45_000)
  expect(refresh).toHaveBeenCalledTimes(1)
  rerender(withRouter(refresh, <FreezeWatch frozenAt={at} />))
  await wait(15_000)
  expect(refresh).toHaveBeenCalledTimes(1)
})
