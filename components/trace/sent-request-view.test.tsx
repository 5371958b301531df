import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import { message, roundStart, runId, start, stateOf } from '@/tests/support/trace-events'
import { Trace } from './trace'

afterEach(() => vi.unstubAllGlobals())

function show(...answers: Response[]) {
  const read = vi.fn(async (_address: string) => answers.shift() ?? Response.error())
  vi.stubGlobal('fetch', read)
  const state = stateOf(start, roundStart(1), message(1, { text: 'Hello.' }))
  render(
    <QueryProvider>
      <Trace runId={runId} state={state} />
    </QueryProvider>,
  )
  return read
}

const request = {
  json: '{\n  "model": "m"\n}',
  curl: "curl 'https://example.org'",
  notes: ['May differ.'],
}

test('the request of a round is read when it is opened, as JSON and as curl', async () => {
  const read = show(Response.json(request))
  expect(read).not.toHaveBeenCalled()
  await userEvent.click(screen.getByText('What the model saw'))
  expect(await screen.findByText(/"model": "m"/)).toBeVisible()
  expect(read.mock.calls.map(([address]) => address)).toEqual([
    `/api/runs/${runId}/rounds/1/request`,
  ])
  expect(screen.getByText('May differ.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy request as JSON' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'curl' }))
  expect(screen.getByText("curl 'https://example.org'")).toBeVisible()
  expect(screen.getByRole('button', { name: 'Copy request as curl' })).toBeVisible()
})

test('a server that does not answer is asked again', async () => {
  show(Response.json({}, { status: 503 }), Response.json({ ...request, curl: null }))
  await userEvent.click(screen.getByText('What the model saw'))
  expect(await screen.findByText('Request not shown')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/"model": "m"/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'curl' })).toBeNull()
})
