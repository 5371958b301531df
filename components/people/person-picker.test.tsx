import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, onTestFinished, test, vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import { Field } from '@/components/ui/field'
import { FindPeopleProvider } from './find-people'
import { PeopleList, PersonPicker } from './person-picker'

const ana = { id: 'u1', name: 'Ana', email: 'ana@example.org' }

test('asks the server for who is typed, picks with a press, and back to nobody', async () => {
  const find = vi.fn(async ({ search }: { search: string }) => {
    const rows = search === 'nobody' ? [] : [ana]
    return { ok: true as const, value: { rows, total: rows.length * 9 } }
  })
  const onPick = vi.fn()
  const label = 'User'
  render(
    <FindPeopleProvider value={find}>
      <PersonPicker label={label} any="Myself" chosen={null} onPick={onPick} />
    </FindPeopleProvider>,
    { wrapper: QueryProvider },
  )
  const button = screen.getByRole('button', { name: 'User: Myself' })
  expect(find).not.toHaveBeenCalled()
  fireEvent.click(button)
  expect(await screen.findByText('8 more. Keep typing to narrow the list.')).toBeVisible()
  const search = screen.getByRole('searchbox', { name: 'Search people' })
  fireEvent.change(search, { target: { value: 'nobody' } })
  expect(await screen.findByText('No matches')).toBeVisible()
  fireEvent.change(search, { target: { value: 'ana' } })
  fireEvent.click(await screen.findByRole('button', { name: /ana@example\.org/ }))
  expect(find).toHaveBeenLastCalledWith({ search: 'ana' })
  expect(onPick).toHaveBeenLastCalledWith(ana)
  expect(screen.queryByRole('searchbox')).toBeNull()
  fireEvent.click(button)
  fireEvent.click(screen.getByRole('button', { name: 'Myself' }))
  expect(onPick).toHaveBeenLastCalledWith(undefined)
})

test('in a field it carries its label and its error, and a `find` that is made anew asks nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const request = vi.fn()
  function Form() {
    const [answers, setAnswers] = useState(0)
    return (
      <FindPeopleProvider
        value={async () => {
          request()
          setAnswers(answers + 1)
          return { ok: true, value: { rows: [ana], total: 1 } }
        }}
      >
        <Field id="who" label="Person" error="Pick a person.">
          {(control) => (
            <PersonPicker
              label="Person"
              any="Nobody"
              chosen={null}
              control={control}
              onPick={vi.fn()}
            />
          )}
        </Field>
      </FindPeopleProvider>
    )
  }
  render(<Form />, { wrapper: QueryProvider })
  const button = screen.getByLabelText('Person')
  expect(button).toBeInvalid()
  expect(button).toHaveAccessibleDescription('Pick a person.')
  fireEvent.click(button)
  // One by one: what an answer leads to is rendered in between.
  await act(() => vi.advanceTimersByTimeAsync(1000))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText('ana@example.org')).toBeVisible()
  expect(request).toHaveBeenCalledTimes(1)
})

const found = { rows: [{ id: 'p1', name: 'Ana', email: 'ana@example.org' }], total: 1 }

it('leaves the focus on whoever was picked, who cannot be picked again', async () => {
  const pick = vi.fn()
  const list = (note: string | null) => (
    <PeopleList found={found} noteOf={() => note} onPick={pick} />
  )
  const { rerender } = render(list(null))
  await userEvent.click(screen.getByRole('button', { name: /^Ana/ }))
  rerender(list('in the group'))
  const ana = screen.getByRole('button', { name: /^Ana \(in the group\)/ })
  expect(ana).toHaveFocus()
  expect(ana).toHaveAttribute('aria-disabled', 'true')
  await userEvent.click(ana)
  expect(pick).toHaveBeenCalledTimes(1)
})
