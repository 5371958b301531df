import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { foundTools } from '@/lib/domains/servers/shape'
import type { CheckEvent } from '@/lib/doors/stream-check'
import { showInPage } from '@/tests/support/show-in-page'
import { CheckServer } from './check-server'

let requests: { url: string; signal: AbortSignal }[] = []
let send: (event: CheckEvent) => void
let breakOff: () => void

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    requests.push({ url, signal })
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
        breakOff = () => controller.close()
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
    })
    return new Response(body)
  })
})
afterEach(() => vi.unstubAllGlobals())

const dialog = () => within(screen.getByRole('dialog'))
const line = (text: string) => ({ type: 'line', line: { at: 1, from: 'server', text } }) as const

/** Begins a check, whose first message came. Returns where the page leads. */
async function begin() {
  const { router } = showInPage(<CheckServer id="one" isNew={false} downloads />)
  await userEvent.click(screen.getByRole('button', { name: 'Check now' }))
  await waitFor(() => expect(requests).toMatchObject([{ url: '/api/servers/one/check' }]))
  send(line('result 1'))
  await dialog().findByText('result 1')
  return router
}

test('messages are shown while the check runs, then what came of it', async () => {
  const router = await begin()
  expect(dialog().getByRole('status')).toHaveTextContent('Connecting and reading its tools')
  expect(dialog().queryByRole('button', { name: 'Stop' })).toBeVisible()
  send(line('result 2'))
  await dialog().findByText('result 2')
  expect(router.refresh).not.toHaveBeenCalled()
  send({ type: 'outcome', outcome: { trouble: null, tools: 2, toReview: 1, problems: [] } })
  await dialog().findByText('It has 2 tools, 1 of them to review.')
  expect(dialog().getAllByRole('listitem')).toHaveLength(2)
  expect(dialog().queryByRole('button', { name: 'Stop' })).toBeNull()
  expect(router.refresh).toHaveBeenCalledOnce()
})

test('the last 20 messages are shown, with the limit of a first start', async () => {
  await begin()
  expect(dialog().getByText(/at most 5 minutes/)).toBeVisible()
  for (let place = 2; place <= 25; place++) send(line(`result ${place}`))
  await dialog().findByText('result 25')
  expect(dialog().getAllByRole('listitem')).toHaveLength(20)
  expect(dialog().queryByText('result 5')).toBeNull()
  send({ type: 'outcome', outcome: { trouble: null, tools: 2, toReview: 2, problems: [] } })
  await userEvent.click(await dialog().findByRole('button', { name: 'Review the tools' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  [0, 0, 'It has no tools.'],
  [1, 1, 'It has 1 tool, to review.'],
  [3, 0, 'It has 3 tools, none to review.'],
])('of %i tools with %i to review it says: %s', (tools, toReview, words) => {
  expect(foundTools({ tools, toReview })).toBe(words)
})

test('Stop ends the check', async () => {
  await begin()
  await userEvent.click(dialog().getByRole('button', { name: 'Stop' }))
  await dialog().findByText('The check was stopped.')
  expect(requests[0]?.signal.aborted).toBe(true)
  expect(dialog().getByText('result 1')).toBeVisible()
})

test('closing the dialog ends the check', async () => {
  await begin()
  await userEvent.keyboard('{Escape}')
  expect(requests[0]?.signal.aborted).toBe(true)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a check that Toolgate refuses or that breaks off shows why', async () => {
  await begin()
  send({ type: 'failed', message: 'This server does not exist.' })
  await dialog().findByText('This server does not exist.')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Check now' }))
  await waitFor(() => expect(requests).toHaveLength(2))
  breakOff()
  await dialog().findByText(/The server did not answer/)
})
