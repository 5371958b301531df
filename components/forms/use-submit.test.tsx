import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useSubmit } from './use-submit'

type Send = Parameters<typeof useSubmit<null>>[0]['send']

function Form({ send, leaves }: { send: Send; leaves: boolean }) {
  const { form, busy, unsaved } = useSubmit({ send, onDone: vi.fn(), changed: true, leaves })
  return (
    <form {...form} aria-label="Form" aria-busy={busy}>
      {unsaved ? 'unsaved' : 'saved'}
    </form>
  )
}

test('where another page follows it stays busy, and asks nothing any more', async () => {
  const send = vi.fn<Send>()
  const refused = { code: 'conflict', message: 'Taken.' }
  send
    .mockResolvedValueOnce({ ok: false, error: refused })
    .mockResolvedValue({ ok: true, value: null })
  const { rerender } = render(<Form send={send} leaves />)
  const form = screen.getByRole('form')
  const submit = () => act(async () => void fireEvent.submit(form))
  await submit()
  expect(form).toHaveAttribute('aria-busy', 'false')
  expect(form).toHaveTextContent('unsaved')
  await submit()
  expect(form).toHaveAttribute('aria-busy', 'true')
  expect(form).toHaveTextContent(/^saved/)
  rerender(<Form key="stays" send={send} leaves={false} />)
  await act(async () => void fireEvent.submit(screen.getByRole('form')))
  expect(screen.getByRole('form')).toHaveAttribute('aria-busy', 'false')
})
