import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import type { ApprovalContext } from '@/lib/domains/approvals/shared/approval-context'
import type { ApprovalDecision } from '@/lib/protocol/approval'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import {
  type ApprovalActions,
  ApprovalActionsProvider,
  type ApprovalReply,
} from './approval-actions'
import { ReaderRoleProvider } from './reader-role'
import { Trace } from './trace'

const expiresAt = Date.now() + 3_600_000
const request = {
  type: 'approval-request',
  data: {
    round: 1,
    callId: 'call-append_line',
    approvalId: '019a0000-0000-7000-8000-0000000000aa',
    name: 'append_line',
    argumentsHash: 'hash-1',
    ruleId: null,
    ruleName: 'Writes',
    expiresAt,
  },
} satisfies RunEventBody
const requests: RunEventBody[] = [
  start,
  roundStart(1),
  message(1, { toolCalls: [call('append_line', '{"text":"first","tag":"a\u202eb"}')] }),
  request,
]

function decision(said: ApprovalDecision): RunEventBody {
  return {
    type: 'approval-decision',
    data: { round: 1, callId: 'call-append_line', decision: said },
  }
}

function tree(actions: ApprovalActions | null, bodies: RunEventBody[]) {
  return (
    <ApprovalActionsProvider value={actions}>
      <Trace runId="run-1" state={stateOf(...bodies)} />
    </ApprovalActionsProvider>
  )
}

const context: ApprovalContext = {
  parameters: {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', title: 'Line', description: 'What is added to the file.' },
      tag: { type: 'string' },
      place: { type: 'object', properties: { row: { type: 'integer' } } },
    },
  },
  calls: [
    { callId: 'read/1', toolName: 'files__read', outcome: 'ok' },
    { callId: 'look-1', toolName: 'list_groups', outcome: 'failed' },
  ],
  callCount: 14,
  edits: [],
  fixed: [],
  notesInPrompt: 2,
  untrusted: [{ callId: 'read/1', toolName: 'files__read', turn: 'run-1', server: 'files' }],
}

function actionsOf(...replies: ApprovalReply[]) {
  const decide = vi.fn<ApprovalActions['decide']>()
  for (const reply of replies) decide.mockResolvedValueOnce(reply)
  const question = { right: { allowed: true } as const, context, nobodyTold: false }
  return { readQuestion: async () => question, decide }
}

const target = { approvalId: '019a0000-0000-7000-8000-0000000000aa', argumentsHash: 'hash-1' }

describe('a call that waits for approval', () => {
  it('says when an approval covers more than this call', () => {
    const { rerender } = render(tree(null, requests), { wrapper: QueryProvider })
    const words = /^If approved unchanged, matching calls of this tool/
    expect(screen.queryByText(words)).toBeNull()
    const once = { ...request, data: { ...request.data, once: true as const } }
    rerender(tree(null, [...requests.slice(0, -1), once]))
    expect(screen.getByText(words)).toBeVisible()
  })

  it('says that nobody could be told, and admins where to look', async () => {
    const question = { right: { allowed: true } as const, context, nobodyTold: true }
    const actions = { ...actionsOf(), readQuestion: async () => question }
    const { rerender } = render(tree(actions, requests), { wrapper: QueryProvider })
    expect(
      await screen.findByText(/^No channel took the message .+ Tell an approver/),
    ).toBeVisible()
    rerender(<ReaderRoleProvider value="admin">{tree(actions, requests)}</ReaderRoleProvider>)
    const link = await screen.findByRole('link', { name: 'See the channels' })
    expect(link).toHaveAttribute('href', '/channels')
  })

  it('says what its arguments mean, and what the run did and read before', async () => {
    render(tree(actionsOf(), requests), { wrapper: QueryProvider })
    expect(await screen.findByText('Line: What is added to the file.')).toBeVisible()
    expect(screen.getByText('The last 2 of 14:')).toBeVisible()
    expect(screen.getByText('2 notes of earlier runs, in the prompt.')).toBeVisible()
    expect(screen.getByText('Failed')).toBeVisible()
    const [read] = screen.getAllByRole('link', { name: 'files__read' })
    expect(read).toHaveAttribute('href', '/runs/run-1#call-read%2F1')
    expect(read?.closest('li')).toHaveTextContent('files__read of server files')
  })

  it('opens by itself, says why, and runs with what was edited', async () => {
    const refusals = 'text: too short\nplace.row: too small\nTry another line.'
    const actions = actionsOf(
      { type: 'refused', message: 'x', fields: { argumentsText: refusals } },
      { type: 'decided' },
    )
    const { rerender } = render(tree(actions, requests), { wrapper: QueryProvider })
    const card = within(screen.getByRole('article'))
    expect(card.getByText('Waiting for approval')).toBeVisible()
    expect(card.getByText('Writes')).toBeVisible()
    expect(card.getByText(/left$/)).toBeVisible()
    await userEvent.click(
      await card.findByRole('button', { name: 'Edit arguments of append_line' }),
    )
    const field = await card.findByRole('textbox', { name: 'Line (text)' })
    await waitFor(() => expect(field).toHaveFocus())
    expect(field).toHaveValue('first')
    expect(card.getByText('Kept as they are in the JSON: tag')).toBeVisible()
    await userEvent.clear(field)
    await userEvent.paste('second')
    await userEvent.click(card.getByRole('tab', { name: 'JSON' }))
    expect(card.getByLabelText('Arguments as JSON')).toHaveValue(
      '{"text": "second", "tag": "a\\u202eb"}',
    )
    await userEvent.click(card.getByRole('tab', { name: 'Fields' }))
    const send = card.getByRole('button', { name: 'Approve with these arguments' })
    await userEvent.click(send)
    const again = card.getByRole('textbox', { name: 'Line (text)' })
    expect(again).toHaveAccessibleDescription('What is added to the file. text: too short')
    await waitFor(() => expect(again).toHaveFocus())
    expect(again).toHaveValue('second')
    expect(card.getByLabelText('row (optional)')).toHaveAccessibleDescription('row: too small')
    expect(card.getByText('Try another line.')).toBeVisible()
    await userEvent.click(send)
    expect(actions.decide).toHaveBeenLastCalledWith(target, {
      type: 'edit',
      argumentsText: '{"text": "second", "tag": "a‮b"}',
    })

    const edited = decision({
      type: 'edited',
      by: 'ana@example.org',
      message: '',
      argumentsText: '{"text":"second"}',
    })
    expect(send).toHaveFocus()
    rerender(tree(actions, [...requests, edited]))
    expect(card.queryByRole('button', { name: /^Approve/ })).toBeNull()
    await waitFor(() => expect(card.getByRole('button', { expanded: true })).toHaveFocus())
    expect(card.getAllByText(/Edited and approved by ana@example.org/)[0]).toBeVisible()
    expect(card.getByText('first').closest('del')).not.toBeNull()
    expect(card.getByText('second').closest('ins')).not.toBeNull()
    expect(card.getByText('removed')).toBeVisible()
    expect(card.getByText('text: "second"')).toBeVisible()
  })

  it('takes a remark beside an approval, which Escape neither loses nor sends', async () => {
    const refused = { type: 'refused', message: 'Try again.', fields: {} } as const
    const actions = actionsOf(refused, { type: 'decided' })
    render(tree(actions, requests), { wrapper: QueryProvider })
    const card = within(screen.getByRole('article'))
    const add = await card.findByRole('button', { name: 'Add a note about append_line' })
    await userEvent.click(add)
    const remark = card.getByRole('textbox', { name: /^Note/ })
    expect(remark).toHaveFocus()
    await userEvent.keyboard(' Agreed with Bo {Escape}')
    expect(remark).toHaveValue(' Agreed with Bo ')
    const approve = card.getByRole('button', { name: 'Approve append_line' })
    expect(approve).toHaveFocus()
    await userEvent.click(approve)
    const message = 'Agreed with Bo'
    expect(actions.decide).toHaveBeenLastCalledWith(target, { type: 'approve', message })
    await userEvent.click(card.getByRole('button', { name: 'Deny append_line' }))
    expect(card.queryByRole('textbox', { name: /^Note/ })).toBeNull()
    await userEvent.click(card.getByRole('button', { name: 'Back' }))
    await userEvent.click(card.getByRole('button', { name: 'Edit arguments of append_line' }))
    await userEvent.click(card.getByRole('button', { name: 'Approve with these arguments' }))
    expect(actions.decide).toHaveBeenLastCalledWith(
      target,
      expect.objectContaining({ type: 'edit', message }),
    )
  })

  it('takes a message to the model, keeps it over Escape, and says who denied', async () => {
    const actions = actionsOf({ type: 'stale', message: 'bo@example.org approved it.' })
    const { rerender } = render(tree(actions, requests), { wrapper: QueryProvider })
    const card = within(screen.getByRole('article'))
    const deny = await card.findByRole('button', { name: 'Deny append_line' })
    await userEvent.click(deny)
    expect(card.getByRole('textbox', { name: /^Message to the model/ })).toHaveFocus()
    await userEvent.paste('Not now.')
    await userEvent.keyboard('{Escape}')
    await userEvent.click(card.getByRole('button', { name: 'Deny append_line' }))
    expect(card.getByRole('textbox', { name: /^Message/ })).toHaveValue('Not now.')
    await userEvent.click(card.getByRole('button', { name: 'Deny append_line' }))
    expect(actions.decide).toHaveBeenCalledWith(target, { type: 'deny', message: 'Not now.' })
    expect(card.getByRole('alert')).toHaveTextContent('bo@example.org approved it.')
    expect(card.queryByRole('button', { name: /Deny/ })).toBeNull()
    expect(card.getByRole('button', { expanded: true })).toHaveFocus()

    const denied = decision({ type: 'denied', by: 'bo@example.org', message: 'No.' })
    rerender(tree(actions, [...requests, denied]))
    expect(card.getByText('Denied', { exact: true })).toBeVisible()
    const outcome = { type: 'denied', gate: 'approval', reason: 'No.' } as const
    rerender(tree(actions, [...requests, denied, callEnd('append_line', outcome)]))
    expect(card.getAllByText('Denied by bo@example.org: No.')[0]).toBeVisible()
  })

  it('says why this reader may not decide, and offers nothing where nobody can', async () => {
    const actions = {
      ...actionsOf(),
      readQuestion: async () => ({
        right: { allowed: false, reason: 'Four eyes.', mayDeny: true } as const,
        context: null,
        nobodyTold: false,
      }),
    }
    const { rerender } = render(tree(actions, requests), { wrapper: QueryProvider })
    expect(await screen.findByText('You cannot approve this: Four eyes.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
    expect(screen.getByRole('button', { name: 'Deny append_line' })).toBeEnabled()
    rerender(tree(actions, [...requests, end]))
    expect(screen.getByText('Not run')).toBeVisible()
    expect(screen.getByText(/ended undecided/)).toBeVisible()
    rerender(tree(null, [...requests, callEnd('append_line', ok('1'))]))
    expect(screen.queryByText(/You cannot approve/)).toBeNull()
  })

  it('says which rule requires another person, also to those who may decide', () => {
    const forTwo = { ...request, data: { ...request.data, fourEyesRule: 'Two\u202epeople' } }
    render(tree(null, [...requests.slice(0, -1), forTwo]), { wrapper: QueryProvider })
    const fact = screen.getByText('Four eyes').nextElementSibling
    expect(fact).toHaveTextContent(
      /^By the rule "Two.*people", whoever started the run may not decide\.$/,
    )
    expect(fact?.textContent).not.toContain('\u202e')
  })

  it('asks again who may decide when the server did not answer', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const readQuestion = vi
      .fn<ApprovalActions['readQuestion']>()
      .mockRejectedValueOnce(new Error('fetch failed'))
      .mockResolvedValue({ right: { allowed: true }, context, nobodyTold: false })
    render(tree({ ...actionsOf(), readQuestion }, requests), { wrapper: QueryProvider })
    expect(await screen.findByText(/Retrying/)).toBeVisible()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await screen.findByRole('button', { name: 'Approve append_line' })).toBeEnabled()
    expect(readQuestion).toHaveBeenCalledTimes(2)
  })
})
