import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AuditEntry, type AuditEntryView } from './audit-entry'

const entry: AuditEntryView = {
  id: '019a0000-0000-7000-8000-0000000000aa',
  at: '2026-11-22T02:39:20.162Z',
  actorId: null,
  actor: 'eve\u202egro@example.org',
  action: 'user.update',
  objectType: 'user',
  objectId: '019a0000-0000-7000-8000-0000000000bb',
  reason: '<img src=x onerror=alert(1)>',
  ipAddress: null,
  kind: 'change',
  count: 1,
  lastAt: null,
  changes: [
    { field: 'role', before: 'admin', after: 'member', changed: true },
    { field: 'groups', before: undefined, after: ['a', 'b'], changed: true },
    { field: 'name', before: 'Eve', after: 'Eve', changed: false },
    { field: 'email', before: 'bo@example.org', after: 'bo@example.org', changed: false },
  ],
}

it('says what changed in one line and field by field, and shows hostile text instead of obeying it', async () => {
  const { container } = render(<AuditEntry entry={entry} />)
  expect(container.querySelector('img')).toBeNull()
  expect(screen.getByText(/<img src=x/)).toBeVisible()
  expect(screen.getByText('U+202E')).toBeVisible()
  const about = screen.getByRole('link', { name: 'bo@example.org' })
  expect(about).toHaveAttribute('href', `/users/${entry.objectId}`)
  const line = screen.getByText(/^user · role admin → member, groups a/)
  await userEvent.click(line)
  const role = screen.getByText('role').closest('div')
  if (!role) throw new Error('The field has no row.')
  expect(within(role).getByText('before:')).toBeInTheDocument()
  expect(within(role).getByText('admin')).toBeVisible()
  expect(within(role).getByText('member')).toBeVisible()
  const name = screen.getByText('name').closest('div')
  if (!name) throw new Error('The field has no row.')
  expect(within(name).getByText('unchanged:')).toBeInTheDocument()
  expect(within(name).getAllByText('Eve')).toHaveLength(1)
  const history = screen.getByRole('link', { name: 'All entries for this object' })
  expect(history).toHaveAttribute('href', `/audit?objectId=${entry.objectId}`)
})

it('says who did what in a sentence, with its code on demand', async () => {
  const switched = {
    ...entry,
    action: 'tool.switch-off',
    objectType: 'tool',
    objectId: 'fetch_logs',
  }
  const { container } = render(<AuditEntry entry={{ ...switched, actor: 'Ada', changes: [] }} />)
  expect(container.querySelector('p')).toHaveTextContent('Ada switched off the tool fetch_logs')
  expect(screen.queryByText('tool.switch-off')).toBeNull()
  await userEvent.click(screen.getByText('tool'))
  expect(screen.getByText('tool.switch-off')).toBeVisible()
})

it('says how often a refusal happened, and when last', () => {
  const refusal = {
    ...entry,
    kind: 'refusal' as const,
    count: 42,
    lastAt: '2026-11-22T03:03:00.000Z',
  }
  render(<AuditEntry entry={refusal} />)
  const line = screen.getByText(/42 times, last/)
  expect(within(line).getByRole('time')).toHaveAttribute('datetime', refusal.lastAt)
})

it('says that a part of a rule that is not set matches everything', () => {
  const rule = {
    ...{ ...entry, action: 'approval-rule.update', objectType: 'approval-rule' },
    changes: [{ field: 'configuration', before: 'Fast', after: null, changed: true }],
  }
  render(<AuditEntry entry={rule} />)
  expect(screen.getByText(/configuration Fast → any/)).toBeVisible()
})
