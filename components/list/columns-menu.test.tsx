import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ColumnsMenu } from './columns-menu'

const options = [
  { key: 'name', label: 'Name', fixed: true },
  { key: 'cost', label: 'Cost' },
  { key: 'id', label: 'Id' },
]

async function open(chosen: string[], isOwnChoice = true) {
  const choices: { columns: string[] | null; kept: () => void }[] = []
  const onChoose = vi.fn(
    (columns: string[] | null) =>
      new Promise<void>((kept) => {
        choices.push({ columns, kept })
      }),
  )
  const menu = (shown: string[]) => (
    <ColumnsMenu options={options} chosen={shown} isOwnChoice={isOwnChoice} onChoose={onChoose} />
  )
  const { rerender } = render(menu(chosen))
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  return { choices, show: (shown: string[]) => rerender(menu(shown)) }
}

const box = (name: string) => screen.getByRole('checkbox', { name })

test('shows and hides a column at once, in the order of the list, by keyboard', async () => {
  const { choices, show } = await open(['name', 'id'])
  expect(box('Name')).toBeDisabled()
  expect(box('Name')).toBeChecked()
  box('Cost').focus()
  await userEvent.keyboard(' ')
  expect(box('Cost')).toBeChecked()
  await userEvent.keyboard('{Tab} ')
  expect(choices.map(({ columns }) => columns)).toEqual([
    ['name', 'cost', 'id'],
    ['name', 'cost'],
  ])
  await act(async () => {
    for (const { kept } of choices) kept()
    show(['name', 'cost'])
  })
  expect(box('Cost')).toBeChecked()
  expect(box('Id')).not.toBeChecked()
})

test('goes back to what is kept where that fails', async () => {
  const { choices } = await open(['name'])
  await userEvent.click(box('Cost'))
  expect(box('Cost')).toBeChecked()
  await act(async () => choices[0]?.kept())
  expect(box('Cost')).not.toBeChecked()
})

test('resets to the default columns, when there is something to reset', async () => {
  const { choices } = await open(['name'])
  await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
  expect(choices[0]?.columns).toBeNull()
  // A pending transition would hold back those of every later test of this process.
  await act(async () => choices[0]?.kept())
})

test('offers no reset of the default columns', async () => {
  await open(['name'], false)
  expect(screen.getByRole('button', { name: 'Reset' })).toBeDisabled()
})
