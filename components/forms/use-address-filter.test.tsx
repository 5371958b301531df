import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useAddressFilter } from './use-address-filter'

const { replace } = vi.hoisted(() => ({ replace: vi.fn() }))
vi.mock('next/navigation', () => ({ useRouter: () => ({ replace }) }))
beforeEach(() => replace.mockClear())

function Bar() {
  const { pick, pickAll, ...address } = useAddressFilter('/runs', { status: 'running' })
  return (
    <>
      <p>
        {address.valueOf('status')} {address.valueOf('reason')}
      </p>
      <input aria-label="Search" onChange={(event) => address.type('search', event.target.value)} />
      <button type="button" onClick={() => pickAll({ status: undefined, reason: 'loop' })}>
        Loop
      </button>
      <button type="button" onClick={() => pick('sort', 'oldest')}>
        Oldest
      </button>
    </>
  )
}

test('one question in two parts is one address, and takes along what was just typed', () => {
  render(<Bar />)
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: ' log ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Loop' }))
  expect(replace.mock.calls.map(([address]) => address)).toEqual(['/runs?search=log&reason=loop'])
  expect(screen.getByText('loop')).toBeVisible()
  fireEvent.click(screen.getByRole('button', { name: 'Oldest' }))
  expect(replace.mock.lastCall?.[0]).toBe('/runs?search=log&reason=loop&sort=oldest')
})
