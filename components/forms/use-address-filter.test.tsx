import { fireEvent, render, screen } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { expect, test, vi } from 'vitest'
import { useAddressFilter } from './use-address-filter'

function Bar() {
  const { pick, clear, ...address } = useAddressFilter(
    '/runs',
    { search: undefined, state: 'running' },
    { sort: '-cost' },
  )
  return (
    <>
      <p>{address.valueOf('state')}</p>
      <input aria-label="Search" onChange={(event) => address.type('search', event.target.value)} />
      <button type="button" onClick={() => pick('state', 'loop')}>
        Loop
      </button>
      <button type="button" onClick={clear}>
        Clear
      </button>
    </>
  )
}

test('a pick takes along what was just typed, and leaves the rest of the address as it is', () => {
  const replace = vi.fn()
  const router: Partial<AppRouterInstance> = { replace }
  render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <Bar />
    </AppRouterContext>,
  )
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: ' log ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Loop' }))
  expect(replace.mock.calls.map(([address]) => address)).toEqual([
    '/runs?search=log&state=loop&sort=-cost',
  ])
  expect(screen.getByText('loop')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(replace.mock.lastCall?.[0]).toBe('/runs?sort=-cost')
})
