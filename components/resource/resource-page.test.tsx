import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { AuditEntryView } from '@/components/audit/audit-entry'
import { auditDiff } from '@/lib/domains/audit/audit-diff'
import type { JsonValue } from '@/lib/protocol/tool'
import { nameField } from '@/lib/shape/identifier'
import { type DetailOf, resource, switchField } from '@/lib/shape/resource'
import { showInPage } from '@/tests/support/show-in-page'
import { type OwnFacts, ResourcePage } from './resource-page'

const secret = {
  kind: 'text',
  schema: z.string().nullable(),
  defaultValue: null,
  isSecret: true,
  required: 'Enter it.',
} as const

const hooks = resource({
  noun: 'hook',
  nouns: 'hooks',
  fields: {
    name: nameField,
    kind: {
      kind: 'select',
      label: 'Kind',
      choices: [
        { value: 'mail', label: 'Mail (SMTP)' },
        { value: 'post', label: 'Webhook' },
      ],
      schema: z.enum(['mail', 'post']),
    },
    address: { ...secret, label: 'Address' },
    signature: { ...secret, label: 'Signature' },
    target: { ...secret, label: 'Target', listed: { of: 'leadsTo' } },
    host: { kind: 'text', label: 'Host', schema: z.string(), only: { kind: ['mail'] } },
    path: { kind: 'text', label: 'Path', schema: z.string(), mono: true },
    waitMs: {
      kind: 'number',
      label: 'Wait',
      schema: z.int(),
      textOf: (value, { kind }) => `${value} ms by ${kind}`,
    },
    isLoud: { kind: 'checkbox', label: 'Loud', schema: z.boolean() },
    note: { kind: 'textarea', label: 'Note', schema: z.string() },
    words: { kind: 'textarea', label: 'Words', schema: z.string().nullable(), none: 'any' },
    more: { kind: 'textarea', label: 'More', schema: z.string().nullable() },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      isMany: true,
      label: 'Groups',
      schema: z.array(z.uuid()),
    },
    token: { ...secret, label: 'Token', requiredBeside: 'host' },
    password: { ...secret, label: 'Password', requiredBeside: 'gone' },
    enabled: switchField('Nothing is sent.'),
  },
  sorts: ['name'],
  order: 'name',
  listed: { leadsTo: z.string() },
  acts: { try: 'Tried it' },
})

const object: DetailOf<typeof hooks> = {
  id: 'h1',
  name: 'Desk',
  host: 'unused',
  path: '/desk',
  waitMs: 5,
  isLoud: true,
  kind: 'post' as const,
  words: null,
  more: null,
  note: 'Two\nlines',
  groups: [{ id: 'g1', name: 'Support' }],
  enabled: true,
  secrets: ['address', 'target'],
  leadsTo: 'https://hooks.example/…',
  createdByLabel: 'ada@example.org',
  updatedAt: '2026-11-01T00:00:00Z',
}

function entry(action: string, before: JsonValue, after: JsonValue, reason = ''): AuditEntryView {
  return {
    id: `${action} ${reason}`,
    at: '2026-11-22T03:00:00.000Z',
    action: `hook.${action}`,
    reason,
    actorId: 'a',
    actor: 'ada@example.org',
    objectType: 'hook',
    objectId: 'h1',
    ipAddress: null,
    kind: 'change',
    count: 1,
    lastAt: null,
    changes: auditDiff(before, after),
  }
}

function show(facts: OwnFacts, rows: AuditEntryView[] = [], total = rows.length) {
  const done = async () => ({ ok: true, value: undefined }) as const
  showInPage(
    <ResourcePage
      resource={hooks}
      object={object}
      history={{ addedBy: 'Ada Admin', rows, total }}
      change={vi.fn(done)}
      actions={null}
      facts={facts}
    />,
  )
}

/** Returns the facts as "label: value". */
const facts = () =>
  [...document.querySelectorAll('main dl > div, dl > div')].map((each) => {
    const [label, value] = [each.querySelector('dt'), each.querySelector('dd')]
    return `${label?.textContent}: ${value?.textContent}`
  })

test('the facts of an object are those of its fields, and its own', () => {
  show({ isLoud: null, waitMs: <b>soon</b>, Forecast: 'rain' })
  expect(screen.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  expect(screen.getByRole('switch', { name: 'Desk' })).toBeChecked()
  expect(facts()).toEqual([
    'Kind: Webhook',
    'Address: stored, never shown',
    'Signature: not entered yet',
    'Target: https://hooks.example/…',
    'Path: /desk',
    'Wait: soon',
    'Groups: Support',
    'Token: not entered yet',
    'Forecast: rain',
  ])
  expect(screen.getByText(/^Added by/)).toHaveTextContent(/^Added by Ada Admin, changed /)
  expect(screen.getByText('/desk').closest('code')).not.toBeNull()
  expect(screen.getByText('Webhook').closest('code')).toBeNull()
  expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/groups/g1')
  expect(screen.getByRole('region', { name: 'Note' })).toHaveTextContent('Two lines')
  expect(screen.getByRole('region', { name: 'Words' })).toHaveTextContent('any')
  expect(screen.queryByRole('region', { name: 'More' })).toBeNull()
})

test('the history says what changed by the labels of the fields, and of a secret that it was replaced', () => {
  const before = {
    name: 'Desk',
    kind: 'mail',
    waitMs: 5,
    isLoud: false,
    groups: ['a'],
    leadsTo: 'x',
  }
  const after = {
    ...before,
    kind: 'post',
    waitMs: 7,
    isLoud: true,
    groups: [],
    leadsTo: '<img src=x>',
    address: 'https://hooks.example.com/s3cret',
    signature: '(removed)',
  }
  show({}, [entry('update', before, after, 'moved')])
  const history = within(screen.getByRole('region', { name: 'History' }))
  expect(history.getByText('Changed')).toBeVisible()
  expect(history.getByText(/moved/)).toBeVisible()
  const changes = [...document.querySelectorAll('ol dl > div')].map((each) => each.textContent)
  expect(changes).toEqual([
    'Kind−before: Mail (SMTP)+after: Webhook',
    'Wait−before: 5 ms by mail+after: 7 ms by post',
    'Loud−before: no+after: yes',
    'Groups−before: a+after: none',
    'Leads to−before: x+after: <img src=x>',
    'Address+after: replaced',
    'Signature+after: replaced',
  ])
  expect(document.body.textContent).not.toContain('s3cret')
  expect(document.querySelector('img')).toBeNull()
})

test('the history names each act, opens what was there as a whole, and leads to the audit', async () => {
  const whole = { name: 'Desk', note: '', kind: 'post', host: 'unused', enabled: true }
  const rows = [
    entry('switch-off', whole, { ...whole, enabled: false }),
    entry('try', null, { name: 'Desk' }),
    entry('try', null, { name: 'Desk', path: '/tried' }, 'again'),
    entry('turn-around', null, null),
    entry('give-back', { name: 'Desk', path: '/given' }, { name: 'Desk' }),
    entry('create', null, whole),
  ]
  show({}, rows, 30)
  const history = within(screen.getByRole('region', { name: 'History' }))
  expect(history.queryByText('1 value')).toBeNull()
  for (const act of ['Switched off', 'Turn around', 'Added']) {
    expect(history.getByText(act)).toBeVisible()
  }
  expect(history.getAllByText('Tried it')).toHaveLength(2)
  const parts = [...document.querySelectorAll('ol > li > dl > div')]
  expect(parts.map((each) => each.textContent)).toEqual(['Path/tried', 'Path/given'])
  await userEvent.click(history.getByText('3 values'))
  expect(history.getByText('Webhook')).toBeVisible()
  expect(history.getByRole('link', { name: 'Show all 30 entries in the audit' })).toHaveAttribute(
    'href',
    '/audit?objectType=hook&objectId=h1',
  )
})
