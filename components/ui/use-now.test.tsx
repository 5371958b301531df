import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { KeyList } from '@/components/people/key-list'
import { TimeLeft } from '@/components/trace/time-left'
import type { ApiKeyListing } from '@/lib/domains/api-keys/schemas'
import { inPage } from '@/tests/support/show-in-page'
import { RelativeTime } from './relative-time'
import { NowProvider } from './use-now'

const servedAt = Date.parse('2026-03-01T12:00:00Z')
const minutes = (count: number) => servedAt + count * 60_000
const iso = (at: number) => new Date(at).toISOString()

afterEach(() => vi.useRealTimers())

/** Renders a part of a page on the server, then in a browser whose clock shows another time; returns both texts. */
async function serve(part: ReactNode, readerAt: number) {
  vi.useFakeTimers({ now: servedAt, toFake: ['Date'] })
  const page = inPage(<NowProvider renderedAt={servedAt}>{part}</NowProvider>)
  const container = document.createElement('div')
  container.innerHTML = renderToString(page)
  const served = container.textContent
  const [element] = container.children
  vi.setSystemTime(readerAt)
  const onRecoverableError = vi.fn()
  const root = await act(async () => hydrateRoot(container, page, { onRecoverableError }))
  expect(onRecoverableError).not.toHaveBeenCalled()
  expect(container.children[0]).toBe(element)
  const read = container.textContent
  await act(async () => root.unmount())
  return { served, read }
}

test('the server’s words stand until the reader’s clock knows better, and nothing else changes', async () => {
  const texts = await serve(<RelativeTime at={iso(minutes(-4))} />, minutes(1))
  expect(texts).toEqual({ served: '4 minutes ago', read: '5 minutes ago' })
})

test('time left is counted from the server’s clock first, then from the reader’s', async () => {
  const texts = await serve(<TimeLeft until={minutes(60)} />, minutes(10))
  expect(texts).toEqual({ served: '1 h 0 min left', read: '50 min left' })
})

test('a key that expired by the reader’s clock alone breaks nothing', async () => {
  const key: ApiKeyListing = {
    id: 'k',
    userId: 'u',
    userEmail: 'ada@example.org',
    name: 'CI',
    prefix: 'tg_1',
    scopes: ['runs:read'],
    sensitiveScopes: [],
    unusableScopes: [],
    createdAt: iso(minutes(-60)),
    lastUsedAt: null,
    expiresAt: iso(minutes(5)),
    revokedAt: null,
    pausedAt: null,
    limits: { tools: null, toolGroups: null, configurations: null },
    runsUnderWay: 0,
  }
  const revoke = async () => ({ ok: true as const, value: null })
  const { served, read } = await serve(
    <KeyList keys={[key]} spend={[]} revoke={revoke} />,
    minutes(10),
  )
  expect(served).toContain('expires in 5 minutes')
  expect(served).toContain('Revoke')
  expect(read).toContain('Expired')
  expect(read).not.toContain('Revoke')
})
