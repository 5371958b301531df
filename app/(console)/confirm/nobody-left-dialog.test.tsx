import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { NobodyLeftDialog } from './nobody-left-dialog'

function show(consequence: string, onAnswer: (typed: string | null) => void) {
  showInPage(<NobodyLeftDialog consequence={consequence} onAnswer={onAnswer} />)
}

test('it names the calls, and answers only once the text is typed', async () => {
  const onAnswer = vi.fn()
  const sentences = ['exec', 'send. Mail'].map(
    (tool) => `After this change, nobody can approve calls of ${tool} in runs of ada@example.org.`,
  )
  show(sentences.join(' '), onAnswer)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(sentences)
  const field = screen.getByLabelText('Type "nobody can approve" to confirm')
  fireEvent.change(field, { target: { value: 'yes' } })
  fireEvent.click(screen.getByRole('button', { name: 'Do it anyway' }))
  expect(await screen.findByText('Type "nobody can approve" to confirm.')).toBeVisible()
  expect(onAnswer).not.toHaveBeenCalled()
  fireEvent.change(field, { target: { value: ' Nobody can approve' } })
  fireEvent.click(screen.getByRole('button', { name: 'Do it anyway' }))
  await vi.waitFor(() => expect(onAnswer).toHaveBeenCalled())
  expect(onAnswer.mock.calls[0]?.[0]).toBe(' Nobody can approve')
})

test('leaving it confirms nothing', () => {
  const onAnswer = vi.fn()
  show('Nobody could approve calls.', onAnswer)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onAnswer).toHaveBeenCalledWith(null)
})
