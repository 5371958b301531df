import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import {
  call,
  callEnd,
  message,
  ok,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { Trace } from './trace'

/** Opens the call of a run that returned this text. */
async function openResult(text: string) {
  const request = message(1, { finishReason: 'tool-calls', toolCalls: [call('page', '{}')] })
  render(
    <Trace
      runId={runId}
      state={stateOf(start, roundStart(1), request, callEnd('page', ok(text)))}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: /^page/, expanded: false }))
  return within(screen.getByRole('article'))
}

test('HTML is text until somebody asks for the page, which is drawn in a frame that can do nothing', async () => {
  const card = await openResult('<!doctype html><p onclick="x()">Hello</p>')
  expect(card.queryByTitle('The result as a page')).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'As a page' }))
  const frame = card.getByTitle('The result as a page')
  expect(frame).toHaveAttribute('sandbox', '')
  expect(frame.getAttribute('src')).toMatch(/^\/api\/runs\/[^/]+\/calls\/[^/]+\/preview$/)
  expect(frame).not.toHaveAttribute('srcdoc')
})

test.each(['Hello', '{"html":"<p>x</p>"}', 'x <p>Hello</p>', '<script>x()</script>', '<svg/>'])(
  '%s is no page',
  async (text) => {
    const card = await openResult(text)
    expect(card.queryByRole('button', { name: 'As a page' })).toBeNull()
  },
)

test('a text of several lines in a result is shown as its lines, after the rest of the result', async () => {
  const output = 'total 8\n-rw-r--r-- notes.md\n'
  const card = await openResult(JSON.stringify({ exitCode: 0, output, '<b>': 'one\ntwo' }))
  const texts = [...document.querySelectorAll('article pre')].map((each) => each.textContent)
  expect(texts.slice(-3)).toEqual(['{\n  "exitCode": 0\n}', output, 'one\ntwo'])
  expect(card.getByText('output')).toBeVisible()
  expect(card.getByText('<b>')).toBeVisible()
})
