import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from 'nuqs/adapters/testing'
import { expect, test, vi } from 'vitest'
import { AddressFilter, type FilterField } from './address-filter'

const fields: FilterField[] = [
  { type: 'search', name: 'search', label: 'Search runs' },
  {
    type: 'choice',
    name: 'state',
    label: 'State',
    any: 'Any state',
    options: [
      { value: 'running', label: 'Running' },
      { value: 'loop', label: 'Loop' },
    ],
  },
]

function show(address: string, more: FilterField[] = []) {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>()
  render(
    // Queues are reset as with the adapter for Next.
    <NuqsTestingAdapter
      hasMemory
      autoResetQueueOnUpdate={false}
      searchParams={address}
      onUrlUpdate={onUrlUpdate}
    >
      <AddressFilter fields={fields} more={more} count="3 runs" />
    </NuqsTestingAdapter>,
  )
  return () => onUrlUpdate.mock.calls.map(([{ queryString }]) => queryString)
}

const search = () => screen.getByRole('searchbox', { name: 'Search runs' })
const state = () => screen.getByRole('combobox', { name: 'State' })
const type = (value: string) => fireEvent.change(search(), { target: { value } })
async function pick(label: string) {
  fireEvent.keyDown(state(), { key: 'ArrowDown' })
  fireEvent.keyDown(await screen.findByRole('option', { name: label }), { key: 'Enter' })
}

test('a pick takes along what was just typed, and leaves the rest of the address as it is', async () => {
  const addresses = show('?state=running&sort=-cost&page=4')
  expect(state()).toHaveTextContent('Running')
  type(' log ')
  await pick('Loop')
  await waitFor(() => expect(addresses()).toEqual(['?state=loop&sort=-cost&search=log']))
  await waitFor(() => expect(state()).toHaveTextContent('Loop'))
  expect(search()).toHaveValue(' log ')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  await waitFor(() => expect(addresses().at(-1)).toBe('?sort=-cost'))
  expect(search()).toHaveValue('')
})

test('typing changes the address once, after a pause, and goes back to the first page', async () => {
  // Each timer starts a few milliseconds after the one before, as on a slow machine.
  const start = globalThis.setTimeout
  let started = 0
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) =>
    start(run, ms < 250 ? ms : ms + 20 * started++)) as typeof setTimeout)
  const addresses = show('?page=4')
  for (const text of ['l', 'lo', 'log ']) type(text)
  expect(addresses()).toEqual([])
  await waitFor(() => expect(addresses()).toEqual(['?search=log']))
  await waitFor(() => expect(search()).toHaveValue('log '))
  type('  ')
  await waitFor(() => expect(addresses().at(-1)).toBe(''))
})

test('a value that the field does not offer counts as none', () => {
  show('?state=sideways')
  expect(state()).toHaveTextContent('Any state')
  expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull()
})

const more: FilterField[] = [
  { type: 'figure', name: 'minCost', label: 'Cost from', unit: '$' },
  {
    type: 'presses',
    name: 'period',
    label: 'Started',
    options: [
      { value: 'today', label: 'Today' },
      { value: '7d', label: '7 days' },
    ],
  },
]

test('one press chooses, and a second press of the same takes it back', async () => {
  const addresses = show('?period=7d&page=2', more)
  const week = () => screen.getByRole('button', { name: '7 days' })
  expect(week()).toHaveAttribute('aria-pressed', 'true')
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(addresses()).toEqual(['?period=today']))
  expect(week()).toHaveAttribute('aria-pressed', 'false')
  fireEvent.click(screen.getByRole('button', { name: 'Today' }))
  await waitFor(() => expect(addresses().at(-1)).toBe(''))
})

test('further fields stand behind a button, and beside the others once they are set', async () => {
  const addresses = show('', more)
  expect(screen.queryByLabelText('Cost from ($)')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Clear filter' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Filters' }))
  const field = await screen.findByLabelText('Cost from ($)')
  // Typing must not move the field.
  fireEvent.change(field, { target: { value: '0.5' } })
  expect(screen.getAllByLabelText('Cost from ($)')).toEqual([field])
  await waitFor(() => expect(addresses()).toEqual(['?minCost=0.5']))
  await waitFor(() => expect(screen.getAllByLabelText('Cost from ($)')).toHaveLength(2))
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clear filter' }))
  await waitFor(() => expect(addresses().at(-1)).toBe(''))
})
