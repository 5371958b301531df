import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TrialEvent } from '@/lib/doors/stream-trial'
import type { PolicyTrial } from '@/lib/runs/replay/trial-shape'
import { showInPage } from '@/tests/support/show-in-page'
import { PastRunsTrial } from './past-runs-trial'

const trial: PolicyTrial = {
  found: 1_200,
  replayed: 1_000,
  changed: 1,
  noted: 0,
  changedToday: 2,
  baseline: 0,
  unreplayable: [{ why: 'The run has not ended.', count: 3 }],
  waysOut: [],
  runs: [
    {
      runId: 'r1',
      prompt: 'Who may sign in here?',
      createdAt: '2026-01-01T00:00:00Z',
      place: { type: 'call', round: 2, callId: 'c1', tool: 'list_users' },
      was: 'It ran.',
      today: 'It would run.',
      draft: 'Switched off.',
      gate: 'enabled',
    },
  ],
}
const tried = { of: 'draft' as const, draft: {}, days: 30 }
const page = (question = 'a', more = {}) => (
  <PastRunsTrial tried={tried} question={question} {...more} />
)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

let requests: { url: string; body: string; signal: AbortSignal }[] = []
let send: (event: TrialEvent) => void

beforeEach(() => {
  requests = []
  vi.stubGlobal(
    'fetch',
    async (url: string, { body, signal }: RequestInit & { signal: AbortSignal }) => {
      requests.push({ url, body: String(body), signal })
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          send = (event) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`))
          signal.addEventListener('abort', () => controller.error(signal.reason))
        },
      })
      return new Response(stream)
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

async function begin() {
  await press('Test on past runs')
  await waitFor(() => expect(requests).toHaveLength(1))
}

test('says how many runs would have changed, how many were looked at, and where each differs', async () => {
  const onDone = vi.fn()
  const { rerender } = showInPage(page('a', { onDone }))
  await begin()
  expect(requests[0]).toMatchObject({ url: '/api/policy/try', body: JSON.stringify(tried) })
  send({ type: 'outcome', trial })
  const said = screen.getByRole('status')
  await waitFor(() =>
    expect(said).toHaveTextContent(
      /1 of 1.000 runs of the last 30 days would have gone otherwise\./,
    ),
  )
  expect(onDone).toHaveBeenCalledOnce()
  expect(said).toHaveTextContent(/Only the newest of 1.200 runs were replayed\./)
  expect(said).toHaveTextContent('3 runs not replayed: The run has not ended.')
  expect(said).toHaveTextContent("Replayed twice with today's policy, 0 of 1 run differed.")
  expect(said).toHaveTextContent('2 runs would go otherwise today already')
  const [run] = screen.getAllByRole('listitem')
  expect(run).toHaveTextContent('Round 2, list_users')
  const words = within(run ?? said)
    .getAllByRole('term')
    .map(({ textContent }) => textContent)
  expect(words).toEqual(['What happened', 'Today', 'With the change'])
  expect(run).toHaveTextContent(/It ran\..*It would run\..*Switched off\./)
  expect(screen.getByRole('link', { name: 'Who may sign in here?' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/runs\/r1#/),
  )
  rerender(page('b'))
  expect(said).toHaveTextContent('The change was edited after this test. Test it again.')
})

test('shows how far it is, without telling each step to screen readers, and Stop says where it ended', async () => {
  showInPage(page())
  await begin()
  expect(screen.getByRole('status')).toHaveTextContent('Replaying past runs.')
  send({ type: 'progress', done: 412, of: 1_000 })
  expect(await screen.findByText(/^412 of 1.000 runs$/)).toBeVisible()
  expect(screen.getByRole('progressbar')).toHaveAttribute('value', '412')
  expect(screen.getByRole('status')).not.toHaveTextContent('412')
  await press('Stop')
  expect(await screen.findByText(/^Stopped after 412 of 1.000 runs\.$/)).toBeVisible()
  expect(requests[0]?.signal.aborted).toBe(true)
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('Stop after the last run has been read shows no result', async () => {
  const onDone = vi.fn()
  showInPage(page('a', { onDone }))
  await begin()
  send({ type: 'progress', done: 1_000, of: 1_000 })
  await screen.findByText(/^1.000 of 1.000 runs$/)
  await press('Stop')
  expect(await screen.findByText(/^Stopped after 1.000 of 1.000 runs\.$/)).toBeVisible()
  expect(screen.queryByText(/would have gone otherwise/)).toBeNull()
  expect(onDone).not.toHaveBeenCalled()
})

test('figures that differ between two replays are marked as not to be trusted', async () => {
  showInPage(page())
  await begin()
  send({ type: 'outcome', trial: { ...trial, baseline: 1 } })
  expect(await screen.findByText(/1 of 1 run differed\. Do not trust the result\.$/)).toBeVisible()
})

test('leaving the page stops it', async () => {
  const { unmount } = showInPage(page())
  await begin()
  unmount()
  expect(requests[0]?.signal.aborted).toBe(true)
})

test('an error says its cause; those of fields go to the form', async () => {
  const onRefused = vi.fn()
  const { rerender } = showInPage(page())
  await begin()
  const error = { code: 'conflict', message: 'Another change is being tested.' }
  send({ type: 'failed', error })
  expect(await screen.findByText('Another change is being tested.')).toBeVisible()
  await press('Test on past runs')
  await waitFor(() => expect(requests).toHaveLength(2))
  const wrong = { code: 'invalid-input', message: 'Invalid', fields: { name: 'Give a name.' } }
  send({ type: 'failed', error: wrong })
  expect(await screen.findByText('Give a name.')).toBeVisible()
  rerender(page('a', { onRefused }))
  await press('Test on past runs')
  await waitFor(() => expect(requests).toHaveLength(3))
  send({ type: 'failed', error: wrong })
  await waitFor(() => expect(onRefused).toHaveBeenCalledWith(wrong))
  expect(screen.queryByText('Give a name.')).toBeNull()
})
