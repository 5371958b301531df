import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Seen, SeenText } from '@/lib/protocol/look'
import { WriteCheckView, WritePreview } from './write-check'

const text = (shown: string, fields: Partial<SeenText> = {}): SeenText => ({
  text: shown,
  sha256: `hash of ${shown}`,
  bytes: shown.length,
  ...fields,
})
const seen = (shown: string, fields: Partial<SeenText> = {}): Seen => ({
  type: 'text',
  ...text(shown, fields),
})

test('a preview shows the lines that change, as plain text', async () => {
  const before = seen('one\ntwo\n')
  render(<WritePreview preview={{ before, becomes: text('one\n<b>three</b>\u202e\n') }} />)
  const change = await screen.findByRole('region', { name: 'What the call changes' })
  expect(change.textContent).toContain('removed: two')
  expect(change.textContent).toContain('<b>three</b>')
  expect(change.querySelector('b')).toBeNull()
})

test('a preview says what is not known, what cannot be read, and that nothing is there', async () => {
  const { rerender } = render(<WritePreview preview={{ before: seen('here'), becomes: null }} />)
  expect(screen.getByText(/not known before the call/)).toBeDefined()
  expect(screen.getByText('here')).toBeDefined()
  rerender(
    <WritePreview
      preview={{ before: { type: 'unread', problem: 'It is locked.' }, becomes: text('new') }}
    />,
  )
  expect(screen.getByText('It is locked.')).toBeDefined()
  rerender(<WritePreview preview={{ before: { type: 'nothing' }, becomes: text('new') }} />)
  expect(screen.getByText('Nothing is there now.')).toBeDefined()
  expect(await screen.findByText('new')).toBeDefined()
  rerender(<WritePreview preview={{ before: seen('new'), becomes: text('new') }} />)
  expect(screen.getByText('No change.')).toBeDefined()
})

test('a check that found something else names it, and shows it beside what was approved', async () => {
  render(
    <WriteCheckView check={{ before: seen('old'), approved: text('new'), after: seen('newer') }} />,
  )
  expect(screen.getByText('Not as approved')).toBeDefined()
  const other = await screen.findByRole('region', { name: /From what was approved/ })
  expect(other.textContent).toContain('added: newer')
  const changed = await screen.findByRole('region', { name: 'What the call changed' })
  expect(changed.textContent).toContain('removed: old')
})

test('a check that found what was approved says so by showing no error', async () => {
  render(
    <WriteCheckView
      check={{ before: { type: 'nothing' }, approved: text('new'), after: seen('new') }}
    />,
  )
  expect(screen.queryByText('Not as approved')).toBeNull()
  expect(screen.getByText('Nothing')).toBeDefined()
  expect(await screen.findByText('new')).toBeDefined()
})
