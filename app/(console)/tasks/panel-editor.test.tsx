import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { Form, SubmitButton } from '@/components/forms/form'
import { useActionForm } from '@/components/forms/use-action-form'
import { showInPage } from '@/tests/support/show-in-page'
import { noPanel, type PanelDraft, panelDraftOf } from './panel-draft'
import { PanelEditor } from './panel-editor'
import { emptyDraft, type TaskDraft, taskFieldOf, toTaskInput } from './task-draft'

const choices = {
  configurations: ['fast', 'careful'].map((identifier) => ({
    id: identifier,
    name: `The ${identifier} one`,
    identifier,
    enabled: true,
  })),
  tools: [{ name: 'fetch_url', about: 'Reads a page' }],
}
const send = vi.fn()
beforeEach(() => void send.mockReset())
let draft: TaskDraft = emptyDraft

function Task({ panel }: { panel: PanelDraft }) {
  const form = useActionForm({
    id: 'task',
    values: { ...emptyDraft, panel },
    fieldOf: taskFieldOf,
    send: (values) => send(toTaskInput(values).panel),
  })
  draft = form.watch()
  return (
    <Form form={form}>
      <PanelEditor panel={draft.panel} choices={choices} />
      <SubmitButton>Save</SubmitButton>
    </Form>
  )
}

const cap = { mode: 'enforce', limitMicroUsd: 50_000 } as const
const usual = { configuration: null, instructions: null, hops: 2, costCap: null }
const coordination = panelDraftOf({
  kind: 'coordinate',
  tools: [],
  synthesizer: { ...usual, costCap: cap },
  proposer: usual,
  critics: [{ ...usual, configuration: 'gone' }, usual],
})

async function pick(control: string | RegExp, option: string | RegExp): Promise<void> {
  await userEvent.click(screen.getByRole('combobox', { name: control }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const legends = () => screen.getAllByRole('group', { name: /^(Proposer|Critic|Synth|Conf)/ })
const members = () => screen.findByRole('list', { name: 'Members' })
const select = (name: string) => screen.getByRole('combobox', { name })

test('one run becomes a coordination and back, and its critics are added, counted and removed', async () => {
  showInPage(<Task panel={noPanel} />)
  expect(screen.queryByRole('list', { name: 'Members' })).toBeNull()
  await pick('Kind', /^Coordination/)
  await members()
  expect(legends()).toHaveLength(3)
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull()
  await press('Add critic')
  expect(select('Critic 2: configuration')).toHaveFocus()
  await pick('Critic 2: configuration', /^The careful one/)
  await press('Remove Critic 1')
  expect(await members()).toHaveFocus()
  expect(select('Critic: configuration')).toHaveTextContent('The careful one')
  await pick('Kind', /^One run/)
  expect(toTaskInput(draft).panel).toBeNull()
  await pick('Kind', /^Coordination/)
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
  expect(toTaskInput(draft).panel).toMatchObject({ critics: [{ configuration: 'careful' }] })
})

test('a comparison asks for two configurations, with tools and limits that all have', async () => {
  showInPage(<Task panel={noPanel} />)
  await pick('Kind', /^Comparison/)
  await members()
  await pick('Configuration 1', /^The fast one/)
  await pick('Configuration 2', /^The careful one/)
  await press('Add tool')
  await userEvent.click(screen.getByRole('option', { name: /^fetch_url/ }))
  await userEvent.click(screen.getByText('Limits of each member'))
  await userEvent.type(screen.getByRole('textbox', { name: /^Hop budget/ }), '4')
  await userEvent.type(screen.getByRole('textbox', { name: /^Cost cap/ }), '0.05')
  await pick('When it is reached', 'Stop with a final answer')
  const panel = {
    kind: 'confer',
    configurations: ['fast', 'careful'],
    tools: ['fetch_url'],
    hops: 4,
    memberCostCap: cap,
  }
  expect(toTaskInput(draft).panel).toEqual(panel)
  await press('Remove fetch_url')
  expect(toTaskInput(draft).panel).toEqual({ ...panel, tools: [] })
})

test('a wrong figure and a deleted configuration are said beside their fields', async () => {
  const fields = {
    'panel.critics.0.configuration': 'There is no configuration gone.',
    'panel.critics.1.hops': 'At most 20.',
  }
  send.mockResolvedValue({ ok: false, error: { code: 'invalid-input', message: '', fields } })
  showInPage(<Task panel={coordination} />)
  await members()
  expect(select('Critic 1: configuration')).toHaveTextContent('gone (deleted)')
  await press('Save')
  await waitFor(() => expect(select('Critic 1: configuration')).toHaveFocus())
  expect(select('Critic 1: configuration')).toHaveAccessibleDescription(/no configuration gone/)
  const [proposer, , second] = legends()
  const limits = (group: HTMLElement | undefined) =>
    within(group as HTMLElement)
      .getByText('Limits')
      .closest('details')
  expect(limits(second)).toHaveAttribute('open')
  expect(limits(proposer)).not.toHaveAttribute('open')
  expect(
    within(second as HTMLElement).getByRole('textbox', { name: /^Hop budget/ }),
  ).toHaveAccessibleDescription(/At most 20/)
  expect(send).toHaveBeenCalledWith(
    expect.objectContaining({ synthesizer: { ...usual, hops: undefined, costCap: cap } }),
  )
})

test('roles are reordered: critics move with what they are told, others exchange their configurations', async () => {
  const instructed = { ...usual, configuration: 'careful', instructions: 'Object.' }
  const panel = panelDraftOf({
    kind: 'coordinate',
    tools: [],
    synthesizer: usual,
    proposer: { ...usual, configuration: 'fast' },
    critics: [usual, instructed],
  })
  showInPage(<Task panel={panel} />)
  await members()
  expect(screen.queryByRole('button', { name: 'Move Proposer up' })).toBeNull()
  await press('Move Critic 2 up')
  expect(screen.getByRole('button', { name: 'Move Critic 1 up' })).toHaveFocus()
  expect(toTaskInput(draft).panel).toMatchObject({ critics: [instructed, usual] })
  await press('Move Critic 1 up')
  expect(await members()).toHaveFocus()
  expect(toTaskInput(draft).panel).toMatchObject({
    proposer: { configuration: 'careful', instructions: null },
    critics: [{ configuration: 'fast', instructions: 'Object.' }, usual],
  })
})
