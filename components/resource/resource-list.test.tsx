import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { hosts } from '@/lib/domains/hosts/shape'
import { programs } from '@/lib/domains/programs/shape'
import { searchEndpoints } from '@/lib/domains/search-endpoints/shape'
import { workspaces } from '@/lib/domains/workspaces/shape'
import { Name } from '@/lib/shape/identifier'
import { type Definition, resource, switchField } from '@/lib/shape/resource'
import { groupsField } from '@/lib/shape/resource-fields'
import { showInPage } from '@/tests/support/show-in-page'
import {
  CardHead,
  CardText,
  nameColumn,
  ResourceList,
  resourceColumns,
  switchColumn,
} from './resource-list'
import { ResourceSwitch } from './resource-switch'

const hooks = resource({
  noun: 'mail-hook',
  nouns: 'mail-hooks',
  words: { one: 'hook', many: 'hooks' },
  path: '/mails/hooks',
  fields: {
    name: { kind: 'text', label: 'Name', schema: Name },
    enabled: switchField(({ name }) => `${String(name)} sends nothing.`),
  },
  sorts: ['name', 'state'],
  order: 'name',
})

const stored = { createdByLabel: 'ada@example.org', updatedAt: '2026-01-01T00:00:00Z' }
const rows = [
  { id: 'h1', name: 'Desk', enabled: true, ...stored },
  { id: 'h2', name: 'Hall', enabled: false, ...stored },
]
const address = {
  path: '/mails/hooks',
  values: { search: 'd' },
  page: 2,
  sort: { by: 'name', default: 'name' },
} as const

test('a page of a list says how many there are in words of its own, and leads to each', async () => {
  const send = async () => ({ ok: true, value: undefined }) as const
  showInPage(
    <NuqsTestingAdapter searchParams={{ search: 'd' }}>
      <ResourceList
        resource={hooks}
        list={{ rows, total: 45, whole: 60, pageSize: 20, address }}
        columns={[switchColumn(hooks.fields, send), nameColumn('Hook', hooks)]}
        card={(row) => <CardHead resource={hooks} row={row} send={send} />}
        searched="name"
        nothing="No hooks yet"
      />
    </NuqsTestingAdapter>,
  )
  expect(screen.getByRole('status')).toHaveTextContent('45 of 60 hooks')
  const table = within(screen.getByRole('table', { name: 'Hooks' }))
  for (const [name, id] of [
    ['Desk', 'h1'],
    ['Hall', 'h2'],
  ] as const) {
    for (const link of screen.getAllByRole('link', { name })) {
      expect(link).toHaveAttribute('href', `/mails/hooks/${id}`)
    }
  }
  expect(screen.getByRole('link', { name: 'Next' })).toHaveAttribute(
    'href',
    '/mails/hooks?search=d&page=3',
  )
  await userEvent.click(table.getByRole('switch', { name: 'Desk' }))
  expect(await screen.findByText('Desk sends nothing.')).toBeVisible()
})

test('an identifier stands below the name, and switching off asks for the reason it needs', async () => {
  const send = vi.fn(async () => ({ ok: true, value: undefined }) as const)
  const fields = { enabled: switchField('It sends nothing.', 'Say why: others use it.') }
  const { cell } = nameColumn('Hook', hooks)
  showInPage(
    <>
      {cell({ id: 'h1', name: 'Desk', identifier: 'desk-1' })}
      <ResourceSwitch fields={fields} send={send} row={{ id: 'h1', name: 'Desk', enabled: true }} />
      <ResourceSwitch
        fields={fields}
        send={send}
        row={{ id: 'h2', name: 'Hall', enabled: false }}
      />
    </>,
  )
  expect(screen.getByText('desk-1')).toBeTruthy()
  await userEvent.click(screen.getByRole('switch', { name: 'Desk' }))
  const off = await screen.findByRole('button', { name: 'Switch off Desk' })
  await userEvent.click(off)
  const reason = screen.getByRole('textbox', { name: 'Reason' })
  expect(reason).toHaveAccessibleDescription(/Say why: others use it\./)
  expect(send).not.toHaveBeenCalled()
  await userEvent.type(reason, 'Old.')
  await userEvent.click(off)
  expect(send).toHaveBeenLastCalledWith({ id: 'h1', enabled: false, reason: 'Old.' })
  // Undo of switching on could give no reason.
  await userEvent.click(screen.getByRole('switch', { name: 'Hall' }))
  expect(await screen.findByText('Switched on Hall')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
})

test('columns and cards follow from the fields that lists show, and a page puts its own between', () => {
  const shown = resource({
    noun: 'hook',
    nouns: 'hooks',
    fields: {
      name: { kind: 'text', label: 'Name', schema: Name },
      address: { kind: 'text', label: 'Address', mono: true, schema: Name, listed: true },
      open: {
        kind: 'checkbox',
        label: 'It is open',
        schema: z.boolean(),
        listed: { head: 'Open', card: 'open' },
      },
      groupIds: groupsField,
      enabled: switchField('Nothing is sent.'),
    },
    sorts: ['name', 'address', 'state'],
    order: 'name',
    listed: { size: z.int() },
  })
  const row = {
    id: 'h1',
    name: 'Desk',
    address: 'mail-1',
    open: true,
    groups: [],
    enabled: true,
    size: 4,
    ...stored,
  }
  const send = async () => ({ ok: true, value: undefined }) as const
  const own = { key: 'size', head: 'Size', cell: ({ size }: { size: number }) => `${size} MB` }
  const columns = resourceColumns(shown, send, [own])
  expect(columns.map(({ head, sort }) => [head, sort])).toEqual([
    ['State', 'switch'],
    ['Hook', 'text'],
    ['Address', 'text'],
    ['Open', undefined],
    ['Size', undefined],
    ['Groups that may use it', undefined],
  ])
  const cells = columns.slice(2).map(({ key, cell }) => <p key={key}>{cell(row)}</p>)
  const { container } = render(<div>{cells}</div>)
  expect([...container.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'mail-1',
    'yes',
    '4 MB',
    'admins only',
  ])
  const card = render(<CardText fields={shown.fields} row={row} more="4 MB" />)
  expect(card.container).toHaveTextContent(/^mail-1 · open · 4 MB$/)
  const none = { ...row, address: '', open: false }
  card.rerender(<CardText fields={shown.fields} row={none} more={null} />)
  expect(card.container).toBeEmptyDOMElement()
})

test('a column of a page takes the place of the field of its name', () => {
  const send = async () => ({ ok: true, value: undefined }) as const
  const own = { key: 'accepted', head: 'Sandbox', cell: () => 'always' }
  const path = { key: 'path', head: 'File', cell: () => 'here' }
  expect(resourceColumns(programs, send, [own, path]).map(({ head }) => head)).toEqual([
    'State',
    'Program',
    'File',
    'Allowed first arguments',
    'Network',
    'Sandbox',
  ])
})

test.each([
  [hosts, ['State', 'Origin', 'Private network', 'Note']],
  [searchEndpoints, ['State', 'Search endpoint', 'Kind', 'Address', 'Key', 'Private network']],
  [workspaces, ['State', 'Workspace', 'Folder', 'Tools may write files', 'Groups that may use it']],
] as const)('$nouns have the columns that their fields ask for', (noun, heads) => {
  const send = async () => ({ ok: true, value: undefined }) as const
  const columns = resourceColumns<Definition>(noun as never, send)
  expect(columns.map(({ head }) => head)).toEqual(heads)
})
