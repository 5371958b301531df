import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { ApprovalRow } from '@/lib/runs/approvals/list-approvals'
import { DecidedList } from './decided-list'

const row: ApprovalRow = {
  approvalId: 'a',
  runId: 'r',
  callId: 'c',
  round: 1,
  toolName: 'append_line',
  argumentsText: '{"text":"first"}',
  argumentsHash: 'x',
  ruleName: 'Writes',
  once: false,
  fourEyesRule: null,
  status: 'edited',
  requestedAt: '2026-01-01T10:00:00Z',
  expiresAt: '2026-01-02T10:00:00Z',
  decidedAt: '2026-01-01T10:02:05Z',
  decidedByLabel: 'ada@example.org',
  message: '',
  editedArguments: '{"text":"second"}',
  configurationName: 'Demo',
  runPrompt: 'Go',
  userEmail: 'bo@example.org',
  preview: null,
  context: null,
  mayDecide: { allowed: false, reason: '', mayDeny: false },
  nobodyTold: false,
}

test('a decided call says what was asked for, what was approved, and after how long', async () => {
  const address = { path: '/approvals/decided', values: {}, page: 1, sort: null }
  const other: ApprovalRow = { ...row, approvalId: 'b', status: 'approved', editedArguments: null }
  render(<DecidedList rows={[row, other]} address={address} />)
  const table = within(screen.getByRole('table'))
  expect(table.getAllByText('after 2 min 05 s')).toHaveLength(2)
  const edits = table.getAllByText('What was edited')
  expect(edits).toHaveLength(1)
  for (const each of edits) await userEvent.click(each)
  expect(table.getByText('first').closest('del')).not.toBeNull()
  expect(table.getByText('second').closest('ins')).not.toBeNull()
})
