import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Form, SubmitButton } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import type { ModelChoice } from '@/lib/domains/configurations/schemas'
import { unpriced } from '@/lib/protocol/cost/cost'
import type { ModelParameter } from '@/lib/protocol/parameters/parameters'
import { showInPage } from '@/tests/support/show-in-page'
import { AdvancedFields } from './advanced-fields'
import { type ConfigurationDraft, emptyDraft, toInput } from './configuration-draft'

const model = (name: string, ...unsupportedParameters: ModelParameter[]): ModelChoice => ({
  id: name,
  modelId: name,
  name,
  connectionName: 'Near',
  wire: 'openai',
  trustZone: 'local',
  enabled: true,
  toolCalling: 'confirmed',
  contextTokens: null,
  maxOutputTokens: null,
  reasoning: null,
  reasoningEfforts: [],
  unsupportedParameters,
  prices: unpriced,
})

const choices = { models: [], groups: [], toolGroups: [], tools: [] }

const wrong = { extraBody: 'Write a JSON object.' }

let latest = emptyDraft

function Held({
  chain,
  start,
  errors,
}: {
  chain: ModelChoice[]
  start: Partial<ConfigurationDraft>
  errors: Record<string, string>
}) {
  const form = useActionForm({
    values: { ...emptyDraft, ...start },
    send: async () => ({
      ok: false,
      error: { code: 'invalid-input', message: '', fields: errors },
    }),
  })
  latest = form.watch()
  return (
    <Form form={form}>
      <AdvancedFields draft={latest} chain={chain} choices={choices} isNew />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

function show(
  chain: ModelChoice[],
  start: Partial<ConfigurationDraft> = {},
  errors: Record<string, string> = wrong,
) {
  showInPage(<Held chain={chain} start={start} errors={errors} />)
  return () => toInput(latest).options
}

test('typed values are sent as they are typed', async () => {
  const options = show([model('A')], { toolChoice: 'tool:' })
  await userEvent.type(screen.getByRole('textbox', { name: 'Tool name' }), 'fetch_logs')
  await userEvent.type(screen.getByRole('textbox', { name: 'Service tier' }), 'flex')
  await userEvent.type(screen.getByRole('textbox', { name: 'Extra body fields' }), '{{"a": 1}')
  await userEvent.click(screen.getByRole('switch', { name: 'Prompt caching' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Server error' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'No connection' }))
  expect(options()).toMatchObject({
    verbosity: null,
    toolChoice: { tool: 'fetch_logs' },
    serviceTier: 'flex',
    extraBody: { a: 1 },
    promptCaching: false,
    noFallbackOn: ['connection', 'server'],
    promptedHops: 2,
  })
})

test('an error stands beside its field and is not folded away', async () => {
  show([model('A')])
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const field = screen.getByRole('textbox', { name: 'Extra body fields' })
  expect(field).toBeInvalid()
  expect(field).toHaveAccessibleDescription(/Write a JSON object\./)
  expect(field.closest('details')).toHaveAttribute('open')
  expect(field).toHaveFocus()
  await userEvent.type(field, '{{}')
  expect(field.closest('details')).toHaveAttribute('open')
})

test('each closed group says what is set in it otherwise than by default', async () => {
  const set = { verbosity: 'low', temperature: '0.2', promptCaching: 'off', maxRounds: '12' }
  show([model('A')], { ...set, toolMode: 'native', groupIds: ['gone'] }, {})
  const line = (title: string) => screen.getByText(title).closest('summary')
  expect(line('Sampling and answers')).toHaveTextContent('Temperature 0.2, verbosity low')
  expect(line('Provider options')).toHaveTextContent('Prompt caching off')
  expect(line('Limits and cost')).toHaveTextContent('Maximum rounds 12')
  expect(line('Tool calling')).toHaveTextContent(/Tool mode \S/)
  expect(line('Fallback')).toHaveTextContent('No fallback models')
  expect(line('Who may use it')).toHaveTextContent('Admins only')
  expect(line('Identifier and purpose')).toHaveTextContent('Defaults')
  const group = line('Provider options')?.closest('details')
  expect(group).not.toHaveAttribute('open')
  await userEvent.click(screen.getByText('Provider options'))
  expect(group).toHaveAttribute('open')
})

test('only what a picked model takes is shown, and what is set although none does', () => {
  const refuses = ['verbosity', 'serviceTier', 'toolChoice'] as const
  show([model('A', ...refuses), model('B', 'verbosity', 'serviceTier')], { serviceTier: 'flex' })
  expect(screen.queryByText('Verbosity')).not.toBeInTheDocument()
  expect(screen.getByText('Tool choice')).toBeInTheDocument()
  expect(screen.getByText('A does not accept it: not sent.')).toBeInTheDocument()
  expect(screen.getByText('A and B do not accept it: not sent.')).toBeInTheDocument()
})

test('a parameter that no picked model takes is shown only while it is set', () => {
  const chain = [model('A', 'temperature', 'seed', 'stop')]
  show(chain, { seed: '7' }, {})
  expect(screen.queryByRole('textbox', { name: 'Temperature' })).toBeNull()
  expect(screen.queryByRole('textbox', { name: /^Stop sequences/ })).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Top-p' })).toBeInTheDocument()
  expect(screen.getByRole('textbox', { name: 'Seed' })).toHaveAccessibleDescription(
    'A does not accept it: not sent.',
  )
})

test('a phone shows a keyboard with a minus where a negative number is allowed', () => {
  show([model('A')], { seed: '-7' }, {})
  expect(screen.getByRole('textbox', { name: 'Seed' })).toHaveAttribute('inputmode', 'text')
  expect(screen.getByRole('textbox', { name: 'Top-p' })).toHaveAttribute('inputmode', 'decimal')
})
