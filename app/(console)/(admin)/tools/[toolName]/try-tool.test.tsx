import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { TriedTool } from '@/lib/runs/start/try-tool'
import { showInPage } from '@/tests/support/show-in-page'
import { tryIt } from './actions'
import { TryTool } from './try-tool'

vi.mock('./actions', () => ({ tryIt: vi.fn() }))

const parameters = { type: 'object', properties: { limit: { type: 'integer' } } }
const configurations = [
  { id: 'c1', name: 'Fast' },
  { id: 'c2', name: 'Demo' },
]
const tried: TriedTool = {
  name: 'fetch_logs',
  configuration: { id: 'c1', name: 'Fast' },
  userId: 'u1',
  issues: [],
  sent: { limit: 3 },
  verdict: { allowed: true },
  decision: '',
  gates: [],
  rules: [],
  runId: null,
}

function show(example?: Record<string, unknown>) {
  const about = { name: 'fetch_logs', parameters, example, configurations }
  return showInPage(<TryTool {...about} />)
}

test('the form begins with the example of the tool', () => {
  show({ limit: 7 })
  expect(screen.getByLabelText(/limit/)).toHaveValue('7')
})

test('a dry run shows what the tool would get, and a call leads to its run', async () => {
  const { router } = show()
  await userEvent.type(screen.getByLabelText(/limit/), '3')
  vi.mocked(tryIt).mockResolvedValue({ ok: true, value: tried })
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }))
  expect(tryIt).toHaveBeenLastCalledWith({
    name: 'fetch_logs',
    arguments: '{"limit": 3}',
    configuration: 'c1',
    dryRun: true,
  })
  expect(await screen.findByText('Arguments as sent')).toBeVisible()
  expect(screen.getByText(/^Allowed: installed/)).toBeVisible()
  expect(router.push).not.toHaveBeenCalled()

  vi.mocked(tryIt).mockResolvedValue({ ok: true, value: { ...tried, runId: 'r1' } })
  await userEvent.click(screen.getByRole('button', { name: 'Call it' }))
  expect(tryIt).toHaveBeenLastCalledWith(expect.objectContaining({ dryRun: false }))
  expect(router.push).toHaveBeenCalledWith('/runs/r1')
})

test('a refusal names its gate and leads to where it is changed', async () => {
  show()
  const reason = 'Switched off for this site by Ada: leaks.'
  vi.mocked(tryIt).mockResolvedValue({
    ok: true,
    value: {
      ...tried,
      verdict: { allowed: false, gate: 'enabled', reason },
      rules: [{ id: 'r', name: 'No logs', action: 'deny' }],
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Dry run' }))
  expect(await screen.findByText(reason)).toBeVisible()
  expect(screen.getByRole('link', { name: 'See it under Tools' })).toHaveAttribute(
    'href',
    '/tools?search=fetch_logs',
  )
  expect(screen.getByRole('link', { name: 'No logs' })).toHaveAttribute(
    'href',
    '/approvals/rules/r',
  )
})
