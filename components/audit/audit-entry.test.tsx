import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AuditEntry, type AuditEntryView, AuditList } from './audit-entry'

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
  const line = screen.getByText(/^user · role changed from admin to member, groups: a/)
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
    ...entry,
    action: 'approval-rule.update',
    objectType: 'approval-rule',
    changes: [{ field: 'configuration', before: 'Fast', after: null, changed: true }],
  }
  render(<AuditEntry entry={rule} />)
  expect(screen.getByText(/configuration changed from Fast to any/)).toBeVisible()
})

const accepted = (name: string, at: string): AuditEntryView => ({
  ...entry,
  at,
  id: `accept-${name}`,
  action: 'tool.accept',
  objectType: 'tool',
  reason: '',
  objectId: name,
  actor: 'Ada',
  changes: [
    { field: 'look.becomes', before: undefined, after: '$.content', changed: true },
    { field: 'dataClass', before: undefined, after: 'internal', changed: true },
  ],
})
const switchedOn = (name: string, at: string): AuditEntryView => ({
  ...accepted(name, at),
  id: `on-${name}`,
  action: 'tool.switch-on',
  changes: [],
})

it('shows the entries of one act as one with its parts', async () => {
  const at = '2026-11-22T02:39:20.162Z'
  // The newest entry is first.
  const names = ['d', 'c', 'b', 'a']
  const act = names.flatMap((name) => [accepted(name, at), switchedOn(name, at)])
  const before = accepted('e', '2026-11-22T02:39:10.000Z')
  render(<AuditList entries={[...act, before]} />)
  const [accept, switched, alone, ...others] = screen
    .getAllByRole('article')
    .filter((each) => !each.parentElement?.closest('article'))
  expect(others).toEqual([])
  expect(accept?.querySelector('p')).toHaveTextContent('Ada accepted 4 tools')
  expect(switched?.querySelector('p')).toHaveTextContent('Ada switched on 4 tools')
  expect(alone?.querySelector('p')).toHaveTextContent('Ada accepted the tool e')
  await userEvent.click(within(accept as HTMLElement).getByText('a, b, c and 1 more'))
  const part = within(accept as HTMLElement).getByRole('link', { name: 'd' })
  expect(part).toHaveAttribute('href', '/tools?search=d')
  expect(
    within(accept as HTMLElement).getAllByText(
      'tool · argument with what is written: $.content, data class: internal',
    ),
  ).toHaveLength(4)
})

it.each([
  [
    'several entries about one object',
    'data-source.open-table',
    'data-source',
    ['s', 's'],
    'opened a table of the data source s, 2 times',
  ],
  ['settings', 'setting.update', 'setting', ['x', 'y', 'z'], 'changed the setting z and 2 more'],
  ['acts without an object', 'run.export', 'run', [null, null], 'exported runs, 2 times'],
])('says in a sentence how often: %s', (_title, action, objectType, ids, words) => {
  const entries = ids.map((objectId, n) => ({
    ...accepted('a', entry.at),
    id: `${n}`,
    action,
    objectType,
    objectId,
    changes: [],
  }))
  render(<AuditList entries={entries} />)
  const [first] = screen.getAllByRole('article')
  expect(first?.querySelector('p')).toHaveTextContent(`Ada ${words}`)
})

it('keeps apart what another person did, another reason, and refusals', () => {
  const one = accepted('a', entry.at)
  const entries = [
    one,
    { ...one, id: '2', actor: 'Bo' },
    { ...one, id: '3', reason: 'because' },
    { ...one, id: '4', kind: 'refusal' as const },
    { ...one, id: '5', kind: 'refusal' as const },
  ]
  render(<AuditList entries={entries} />)
  expect(screen.getAllByRole('article')).toHaveLength(5)
})
