import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { Name } from '@/lib/shape/identifier'
import { resource, switchField } from '@/lib/shape/resource'
import { showInPage } from '@/tests/support/show-in-page'
import { type FormSpec, NewResourceButton, ResourceActions } from './resource-form'

const hooks = resource({
  noun: 'hook',
  nouns: 'hooks',
  fields: {
    name: { kind: 'text', label: 'Name', schema: Name },
    kind: {
      kind: 'select',
      label: 'Kind',
      choices: [
        { value: 'mail', label: 'Mail' },
        { value: 'post', label: 'Post' },
      ],
      schema: z.enum(['mail', 'post']),
      isFixed: true,
    },
    secret: {
      kind: 'text',
      type: 'secret',
      label: 'Secret',
      schema: z.string().nullable(),
      defaultValue: null,
      isSecret: true,
    },
    limit: {
      kind: 'money',
      codec: 'usd',
      label: 'Limit',
      schema: z.int().nullable(),
      defaultValue: null,
      only: { kind: ['mail'] },
    },
    ownerId: {
      kind: 'reference',
      to: 'user',
      as: 'owner',
      label: 'Owner',
      schema: z.uuid(),
      isCallerByDefault: true,
    },
    groupIds: {
      kind: 'reference',
      to: 'group',
      as: 'groups',
      label: 'Groups',
      isMany: true,
      schema: z.array(z.uuid()),
      defaultValue: [],
    },
    enabled: switchField('Nothing is sent.'),
  },
  sorts: ['name'],
  order: 'name',
})

const choices = {
  me: { id: 'me', email: 'me@example.org' },
  groups: [
    { id: 'g1', name: 'Editors' },
    { id: 'g2', name: 'Support' },
  ],
}
const stored = {
  id: 'h1',
  name: 'Desk',
  kind: 'mail' as const,
  limit: 1_500_000,
  enabled: true,
  owner: { id: 'ada', email: 'ada@example.org' },
  groups: [{ id: 'g2', name: 'Support' }],
  secrets: ['secret'],
  createdByLabel: 'me@example.org',
  updatedAt: '2026-01-01T00:00:00Z',
}

const version = { id: 'h1', updatedAt: stored.updatedAt }

function specs() {
  const done = async () => ({ ok: true, value: undefined }) as const
  const [add, change, remove] = [vi.fn(done), vi.fn(done), vi.fn(done)]
  const spec: FormSpec<typeof hooks> = {
    add,
    change,
    remove,
    description: 'Sends messages.',
    removal: 'Nothing is sent.',
  }
  return { add, change, remove, spec }
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const dialog = () => within(screen.getByRole('dialog'))

test('a new object is sent with what its fields have at first, read from text where that is typed', async () => {
  const { add, spec } = specs()
  showInPage(<NewResourceButton resource={hooks} spec={spec} choices={choices} />)
  await press('Add hook')
  await userEvent.type(dialog().getByRole('textbox', { name: 'Name' }), 'Desk')
  await userEvent.click(dialog().getByRole('combobox', { name: 'Kind' }))
  await userEvent.click(screen.getByRole('option', { name: 'Mail' }))
  await userEvent.type(dialog().getByRole('textbox', { name: 'Limit' }), '1.50')
  await userEvent.click(dialog().getByRole('checkbox', { name: 'Editors' }))
  await userEvent.click(dialog().getByRole('button', { name: 'Add hook' }))
  await waitFor(() => expect(add).toHaveBeenCalledOnce())
  expect(add).toHaveBeenCalledWith({
    name: 'Desk',
    kind: 'mail',
    secret: null,
    limit: 1_500_000,
    ownerId: 'me',
    groupIds: ['g1'],
    reason: '',
  })
})

test('the page of a new object opens where more is to be said there', async () => {
  const { spec } = specs()
  const add = async () => ({ ok: true, value: { id: 'h2' } }) as const
  const { router } = showInPage(
    <NewResourceButton
      resource={hooks}
      spec={{ ...spec, add, opensPage: true }}
      choices={choices}
    />,
  )
  await press('Add hook')
  await userEvent.type(dialog().getByRole('textbox', { name: 'Name' }), 'Desk')
  await userEvent.click(dialog().getByRole('button', { name: 'Add hook' }))
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/hooks/h2'))
})

test('an edit shows what is stored, leaves out what is fixed, and keeps a secret that nothing is typed for', async () => {
  const { change, spec } = specs()
  showInPage(<ResourceActions resource={hooks} spec={spec} choices={choices} stored={stored} />)
  await press('Edit')
  expect(dialog().getByRole('textbox', { name: 'Limit' })).toHaveValue('1.50')
  expect(dialog().getByRole('checkbox', { name: 'Support' })).toBeChecked()
  expect(dialog().getByRole('button', { name: 'Owner: ada@example.org' })).toBeVisible()
  expect(dialog().queryByText('Kind')).toBeNull()
  const secret = dialog().getByLabelText('Secret')
  expect(secret).toHaveValue('')
  expect(secret).toHaveAccessibleDescription('Leave empty to keep the stored one.')
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(change).toHaveBeenCalledOnce())
  const kept = { name: 'Desk', limit: 1_500_000, ownerId: 'ada', groupIds: ['g2'], reason: '' }
  expect(change).toHaveBeenCalledWith({ ...version, ...kept })
  await press('Edit')
  await userEvent.type(dialog().getByLabelText('Secret'), 'new')
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(change).toHaveBeenLastCalledWith({ ...version, ...kept, secret: 'new' }),
  )
})

test('an edit says that a secret is kept only where one is stored', async () => {
  const { spec } = specs()
  const bare = { ...stored, secrets: [] }
  showInPage(<ResourceActions resource={hooks} spec={spec} choices={choices} stored={bare} />)
  await press('Edit')
  expect(dialog().getByLabelText('Secret')).not.toHaveAccessibleDescription()
})

test('fields that a kind lacks are neither shown nor sent, also where the kind is fixed', async () => {
  const { add, change, spec } = specs()
  showInPage(
    <>
      <NewResourceButton
        resource={hooks}
        spec={{ ...spec, start: () => ({ kind: 'mail' }) }}
        choices={choices}
      />
      <ResourceActions resource={hooks} spec={spec} choices={choices} stored={stored} />
    </>,
  )
  await press('Edit')
  expect(dialog().getByRole('textbox', { name: 'Limit' })).toHaveValue('1.50')
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(change).toHaveBeenCalledWith(expect.objectContaining({ limit: 1_500_000 })),
  )
  await press('Add hook')
  await userEvent.type(dialog().getByRole('textbox', { name: 'Name' }), 'Desk')
  await userEvent.type(dialog().getByRole('textbox', { name: 'Limit' }), '2')
  await userEvent.click(dialog().getByRole('combobox', { name: 'Kind' }))
  await userEvent.click(screen.getByRole('option', { name: 'Post' }))
  expect(dialog().queryByRole('textbox', { name: 'Limit' })).toBeNull()
  await userEvent.click(dialog().getByRole('button', { name: 'Add hook' }))
  await waitFor(() => expect(add).toHaveBeenCalledOnce())
  expect(add).toHaveBeenCalledWith(expect.not.objectContaining({ limit: expect.anything() }))
  expect(add).toHaveBeenCalledWith(expect.objectContaining({ kind: 'post', name: 'Desk' }))
})

test('a deletion says what it does to others, and asks for a reason', async () => {
  const { remove, spec } = specs()
  showInPage(<ResourceActions resource={hooks} spec={spec} choices={choices} stored={stored} />)
  await press('More')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }))
  await screen.findByRole('dialog')
  expect(screen.getByRole('dialog')).toHaveAccessibleDescription('Nothing is sent.')
  await userEvent.type(dialog().getByRole('textbox', { name: /^Reason/ }), 'Moved')
  await userEvent.click(dialog().getByRole('button', { name: 'Delete Desk' }))
  await waitFor(() => expect(remove).toHaveBeenCalledWith({ id: 'h1', reason: 'Moved' }))
})
