import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ToastProvider, useToast } from './toast'

function Presses() {
  const toast = useToast()
  return (
    <>
      {['one', 'two', 'three', 'four'].map((name) => (
        <button
          key={name}
          type="button"
          onClick={() => toast({ tone: 'ok', title: `Did ${name}` })}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        onClick={() => toast({ tone: 'error', title: 'It failed', description: 'Taken.' })}
      >
        fail
      </button>
    </>
  )
}

it('drops messages that close by themselves, never an open error', async () => {
  render(
    <ToastProvider>
      <Presses />
    </ToastProvider>,
  )
  const press = (...names: string[]) => {
    for (const name of names) fireEvent.click(screen.getByRole('button', { name }))
  }
  press('fail', 'one', 'two', 'three', 'four')
  expect(await screen.findByText('It failed')).toBeVisible()
  expect(screen.queryByText('Did two')).toBeNull()
  expect(screen.getByText('Did three')).toBeVisible()
  expect(screen.getByText('Did four')).toBeVisible()
  press('fail')
  expect(screen.getAllByText('It failed')).toHaveLength(1)
})
