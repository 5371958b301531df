import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Name } from '@/lib/shape/identifier'
import { resource, switchField } from '@/lib/shape/resource'
import { showInPage } from '@/tests/support/show-in-page'
import { VersionHistory } from './version-history'

const notes = resource({
  noun: 'note',
  nouns: 'notes',
  path: '/desk/notes',
  isVersioned: true,
  fields: {
    name: { kind: 'text', label: 'Title', schema: Name },
    text: { kind: 'textarea', label: 'Text', schema: Name },
    enabled: switchField('It is off.'),
  },
  sorts: ['name'],
  order: 'name',
})

const made = { createdByLabel: 'ada@example.org', createdAt: '2026-01-01T00:00:00Z' }
const versions = [
  { version: 3, form: { name: 'Two', text: 'b' }, note: 'Better.', ...made },
  { version: 2, form: { name: 'One', text: 'b' }, note: '', ...made },
  { version: 1, form: { name: 'Two', text: 'b' }, note: '', ...made },
]

test('versions say what changed, and restore the object as it was', async () => {
  const restore = vi.fn(async () => ({ ok: true, value: null }) as const)
  showInPage(
    <VersionHistory resource={notes} id="n1" versions={versions} compared={3} restore={restore} />,
  )
  const [current, second, first] = screen.getAllByRole('listitem').map((each) => within(each))
  if (!current || !second || !first) throw new Error('Three versions were expected.')
  expect(current.getByText('Current')).toBeTruthy()
  expect(current.getByText('Better.')).toBeTruthy()
  expect(current.getByRole('region', { name: 'Changes of version 3 in: Title' })).toBeTruthy()
  expect(current.queryByRole('region', { name: /in: Text/ })).toBeNull()
  const hide = current.getByRole('link', { name: /^Hide changes/ })
  expect(hide.getAttribute('href')).toBe('/desk/notes/n1')
  const show = second.getByRole('link', { name: /^Show changes.*version 2$/ })
  expect(show.getAttribute('href')).toBe('/desk/notes/n1?changes=2')
  // The first one has nothing before it, and is what the object is now.
  expect(first.queryByRole('link')).toBeNull()
  expect(first.getByRole('button', { name: /^Restore.*version 1$/ })).toBeDisabled()
  expect(current.queryByRole('button')).toBeNull()

  await userEvent.click(second.getByRole('button', { name: /^Restore.*version 2$/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/It becomes version 4/)).toHaveTextContent('Changed: Title.')
  await userEvent.click(dialog.getByRole('button', { name: 'Restore version 2' }))
  expect(restore).toHaveBeenCalledWith({ id: 'n1', version: 2 })
})
