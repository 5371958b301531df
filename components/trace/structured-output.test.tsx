import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { end, message, roundStart, start, stateOf } from '@/tests/support/trace-events'
import { Trace } from './trace'

function show(
  structured: unknown,
  outputErrors: string[] = [],
  text = JSON.stringify(structured ?? {}),
) {
  const ended = { ...end, data: { ...end.data, ...(structured !== undefined && { structured }) } }
  const state = stateOf(start, roundStart(1), message(1, { text, outputErrors }), ended)
  render(<Trace runId="run-1" state={state} />)
}

it('shows a value as a tree that opens, everything in it as text', async () => {
  show({ a: { b: { c: ['<b>deep</b>', null, 4] } }, 'x\u202ey': '<img src=x onerror=alert(1)>' })
  expect(screen.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
  expect(document.querySelector('img')).toBeNull()
  expect(document.body.textContent).not.toContain('\u202e')
  expect(screen.getByText('<b>deep</b>')).not.toBeVisible()
  const region = screen.getByRole('region', { name: 'Structured output' })
  const [, , second, third] = region.querySelectorAll('summary')
  if (second) await userEvent.click(second)
  if (third) await userEvent.click(third)
  expect(screen.getByText('<b>deep</b>')).toBeVisible()
})

it('shows only the beginning of a long list', () => {
  show(Array.from({ length: 250 }, (_, n) => n))
  expect(screen.getByText('50 more are not shown here.')).toBeVisible()
})

it('says what is wrong with an answer that does not fit', () => {
  show(undefined, ['n: expected number'])
  expect(screen.getByText('n: expected number')).toBeVisible()
  expect(screen.queryByText('Structured output')).toBeNull()
})

it('keeps the order in which the answer was written, and folds its text away', async () => {
  show({ a: 'kim@example.org', why: 1 }, [], '{"why": 1, "a": "kim@example.org"}')
  const region = screen.getByRole('region', { name: 'Structured output' })
  expect(region).toHaveTextContent(/why: 1.*a: kim@example\.org/)
  expect(screen.queryByRole('link')).toBeNull()
  const summary = screen.getByText('Answer as text (34 characters)')
  expect(screen.queryByText(/"why": 1,/)).toBeNull()
  await userEvent.click(summary)
  expect(screen.getByText('{"why": 1, "a": "kim@example.org"}')).toBeVisible()
})
