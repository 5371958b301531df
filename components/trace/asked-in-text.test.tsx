import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import type { Outcome } from '@/lib/protocol/tool'
import { call, callEnd, message, roundStart, start, stateOf } from '@/tests/support/trace-events'
import { Trace } from './trace'

function show(...bodies: RunEventBody[]) {
  render(<Trace runId="run-1" state={stateOf(start, roundStart(1), ...bodies)} />)
  return within(screen.getByRole('article'))
}

it('marks a call that was asked for in text, and shows what the model wrote, as text', async () => {
  const tag = '<tool_call>{"name":"fetch_logs","args":{}}</tool_call>'
  const card = show(
    message(1, {
      text: 'I look.',
      toolCalls: [call('fetch_logs')],
      inText: { tag: `\n${tag}`, after: '<img src=x> It says 41.', fault: null },
    }),
  )
  expect(card.getByText('Asked in text')).toBeVisible()
  await userEvent.click(card.getByRole('button', { expanded: false, name: /fetch_logs/ }))
  await userEvent.click(card.getByText('As the model wrote it'))
  expect(card.getByText(tag)).toBeVisible()
  expect(card.getByText('<img src=x> It says 41.')).toBeVisible()
  expect(document.querySelector('img')).toBeNull()
})

it('says what was wrong with a request, and shows what the model reads of it', async () => {
  const inText = { tag: '<tool_call>{', after: '', fault: 'unclosed_tag' } as const
  const outcome: Outcome = { type: 'invalid-arguments', issues: ['No closing tag.'] }
  const card = show(
    message(1, { toolCalls: [call('(unreadable)', '{')], inText }),
    callEnd('(unreadable)', outcome),
  )
  expect(card.getByText(/has no closing tag.*did not run/)).toBeVisible()
  await userEvent.click(card.getByRole('button', { expanded: false, name: /unreadable/ }))
  await userEvent.click(card.getByText('What the model saw'))
  expect(card.getByText(/"reason":"unclosed_tag"/)).toBeVisible()
})
