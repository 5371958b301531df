import { render } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { afterEach, expect, test, vi } from 'vitest'
import { zoneCookie } from '@/lib/words/time-zone'
import { ZoneMemory } from './zone-memory'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const other = timeZone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo'

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the browser has no other way on plain http
  document.cookie = `${zoneCookie}=; path=/; max-age=0`
})

function show(known: string) {
  const refresh = vi.fn()
  const router = { refresh } as unknown as AppRouterInstance
  render(
    <AppRouterContext value={router}>
      <ZoneMemory known={known} />
    </AppRouterContext>,
  )
  return refresh
}

test('a page that was made in another zone is read again, once the zone is remembered', () => {
  expect(show(other)).toHaveBeenCalledTimes(1)
  expect(document.cookie).toContain(`${zoneCookie}=${timeZone}`)
})

test('a page that was made in the zone of the reader stays as it is', () => {
  expect(show(timeZone)).not.toHaveBeenCalled()
  expect(document.cookie).not.toContain(zoneCookie)
})
