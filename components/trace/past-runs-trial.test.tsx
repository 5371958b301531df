import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { PolicyTrial } from '@toolgate/server/runs/replay/try-policy'
import { expect, test } from 'vitest'
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
const press = () => userEvent.click(screen.getByRole('button', { name: 'Test on past runs' }))

test('says how many runs would have changed, how many were looked at, and where each differs', async () => {
  const send = async () => ({ ok: true as const, value: trial })
  const { rerender } = showInPage(<PastRunsTrial question="a" days={30} send={send} />)
  await press()
  const said = screen.getByRole('status')
  expect(said).toHaveTextContent(/1 of 1.000 runs of the last 30 days would have gone otherwise\./)
  expect(said).toHaveTextContent(/Only the newest of 1.200 runs were replayed\./)
  expect(said).toHaveTextContent('3 runs not replayed: The run has not ended.')
  expect(said).toHaveTextContent('2 runs would go otherwise today already')
  const [run] = screen.getAllByRole('listitem')
  expect(run).toHaveTextContent('Round 2, list_users')
  expect(run).toHaveTextContent('Switched off.')
  expect(screen.getByRole('link', { name: 'Who may sign in here?' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^\/runs\/r1#/),
  )
  rerender(<PastRunsTrial question="b" days={30} send={send} />)
  expect(said).toHaveTextContent('It changed since.')
})

test('an error says its cause; those of fields go to the form', async () => {
  const error = { code: 'conflict', message: 'Another draft is being tried.' }
  const { rerender } = showInPage(
    <PastRunsTrial question="a" days={30} send={async () => ({ ok: false, error })} />,
  )
  await press()
  expect(screen.getByText('Another draft is being tried.')).toBeVisible()
  const wrong = { code: 'invalid-input', message: 'Invalid', fields: { name: 'Give a name.' } }
  rerender(
    <PastRunsTrial question="a" days={30} send={async () => ({ ok: false, error: wrong })} />,
  )
  await press()
  expect(screen.getByText('Give a name.')).toBeVisible()
})
