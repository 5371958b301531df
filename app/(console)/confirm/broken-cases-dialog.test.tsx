import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { BrokenCasesDialog } from './broken-cases-dialog'

const refusal = [
  'This change breaks the policy case "No mail". The call starts without a question.',
  'This change breaks the policy case "<img onerror>". The call waits for approval.',
]

test('it lists the cases, and saves only with a reason', async () => {
  const onAnswer = vi.fn()
  showInPage(<BrokenCasesDialog refusal={refusal.join('\n')} onAnswer={onAnswer} />)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(refusal)
  fireEvent.click(screen.getByRole('button', { name: 'Save it anyway' }))
  expect(await screen.findByText('Give a reason.')).toBeVisible()
  expect(onAnswer).not.toHaveBeenCalled()
  const field = screen.getByLabelText('Reason, kept in the audit')
  fireEvent.change(field, { target: { value: ' Agreed with legal ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save it anyway' }))
  await vi.waitFor(() => expect(onAnswer.mock.calls[0]?.[0]).toBe('Agreed with legal'))
})

test('leaving it saves nothing', () => {
  const onAnswer = vi.fn()
  showInPage(<BrokenCasesDialog refusal="Broken." onAnswer={onAnswer} />)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onAnswer).toHaveBeenCalledWith(null)
})
