import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { DryRun } from '@toolgate/server/runs/dry-run/dry-run'
import { beforeEach, expect, test, vi } from 'vitest'
import { DryRunSheet } from './dry-run-sheet'

const dryRunPrompt = vi.hoisted(() => vi.fn())
vi.mock('./actions', () => ({ dryRunPrompt }))

beforeEach(() => {
  dryRunPrompt.mockReset()
})

const input = {
  configuration: 'c1',
  prompt: 'Hello.',
  tools: null,
  maxRounds: null,
  costCap: null,
  outputSchema: null,
  overrides: null,
  changedFrom: null,
}

const answer: DryRun = {
  refusal: null,
  models: [
    { modelId: 'far', connection: 'Far', isUsed: false, skipped: 'It takes no files.' },
    { modelId: 'near', connection: 'Near', isUsed: true, skipped: null },
    { modelId: 'spare', connection: 'Near', isUsed: false, skipped: null },
  ],
  offered: ['calculate'],
  inputTokens: 1_234,
  cost: { mostInputTokens: 2_000, mostOutputTokens: 400, mostMicroUsd: 12_000 },
  costCaps: [{ scope: 'run', mode: 'enforce', limitMicroUsd: 500_000 }],
  tools: [
    { name: 'calculate', allowed: true, gate: null, reason: null, decision: 'Yes.', gates: [] },
    {
      name: 'run_query',
      allowed: false,
      gate: 'enabled',
      reason: 'Off until an admin switches it on.',
      decision: 'No.',
      gates: [],
    },
  ],
  warnings: ['The temperature is not sent.'],
  request: { json: '{"model":"near"}', curl: null, notes: [] },
}

const reader = { role: 'member', userId: 'u1' } as const

function show(value: unknown) {
  dryRunPrompt.mockResolvedValue(value)
  render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <DryRunSheet open input={input} {...reader} onClose={vi.fn()} />
    </QueryClientProvider>,
  )
}

test('it shows the model, the tokens and the most that the request may cost', async () => {
  show({ ok: true, value: answer })
  expect(await screen.findByText('near at Near')).toBeVisible()
  expect(screen.getByText('about 1 234 tokens')).toBeVisible()
  expect(screen.getByText('Cost of this request').nextSibling).toHaveTextContent('at most $0.012')
  expect(screen.getByText('Cost cap of the run').nextSibling).toHaveTextContent('stops at $0.50')
  expect(screen.getByText('Passed over: far at Far').nextSibling).toHaveTextContent(
    'It takes no files.',
  )
  expect(screen.getByText('Fallbacks').nextSibling).toHaveTextContent('spare at Near')
  expect(screen.getByRole('list', { name: 'Warnings' })).toHaveTextContent('temperature')
  expect(dryRunPrompt).toHaveBeenCalledExactlyOnceWith(input)
})

test('tools, refused ones with the sentence of their gate, and the request unfold', async () => {
  show({ ok: true, value: answer })
  await userEvent.click(await screen.findByText('1 not offered'))
  expect(await screen.findByText('Off until an admin switches it on.')).toBeVisible()
  await userEvent.click(screen.getByText('Request'))
  const request = await screen.findByRole('region', { name: 'First request' })
  expect(request).toHaveTextContent('{"model":"near"}')
  expect(screen.getByRole('button', { name: /copy/i })).toBeVisible()
})

test('a refusal is said in the words of a start, without facts that nobody knows', async () => {
  const refusal = { code: 'forbidden', message: 'Ada froze this site.', fields: {} }
  const nothing = { models: [], tools: [], offered: [], warnings: [], costCaps: [], cost: null }
  show({ ok: true, value: { ...answer, ...nothing, refusal, inputTokens: null, request: null } })
  expect(await screen.findByRole('alert')).toHaveTextContent('Ada froze this site.')
  expect(screen.queryByText('Model')).toBeNull()
  expect(screen.queryByText('Request')).toBeNull()
})

test('where a budget refuses the run, the first model that is not passed over is the model', async () => {
  const refusal = { code: 'budget', message: 'The budget is used up.', fields: {} }
  const unused = answer.models.map((model) => ({ ...model, isUsed: false }))
  const nothing = { models: unused, offered: [], cost: null, inputTokens: null, request: null }
  show({ ok: true, value: { ...answer, ...nothing, refusal } })
  expect((await screen.findByText('Model')).nextSibling).toHaveTextContent('near at Near')
  expect(screen.getByText('Fallbacks').nextSibling).toHaveTextContent(/^spare at Near$/)
  expect(screen.queryByText('Tools')).toBeNull()
})

test('an offered tool whose name hides a character shows it', async () => {
  show({ ok: true, value: { ...answer, offered: ['calc\u202eulate'] } })
  await userEvent.click(await screen.findByText('1 tool offered'))
  expect(document.body.textContent).not.toContain('\u202e')
  expect(document.body).toHaveTextContent(/calc.+ulate/)
})

test('a failure is said, and asked again', async () => {
  show({ ok: false, error: { code: 'unavailable', message: 'The database does not answer.' } })
  expect(await screen.findByRole('alert')).toHaveTextContent('The database does not answer.')
  dryRunPrompt.mockResolvedValue({ ok: true, value: answer })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('near at Near')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})
