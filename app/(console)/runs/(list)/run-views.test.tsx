import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { inPage } from '@/tests/support/show-in-page'
import { RunViews } from './run-views'

const actions = vi.hoisted(() => ({
  createView: vi.fn(),
  updateView: vi.fn(),
  shareView: vi.fn(),
  deleteView: vi.fn(),
  restoreView: vi.fn(),
}))
vi.mock('../actions', () => actions)

const mine = {
  id: 'a',
  name: 'Failures',
  shared: false,
  mine: true,
  by: 'me@example.org',
  href: '/runs?view=a&failure=any',
}
const theirs = {
  id: 'b',
  name: 'Dear\u202e',
  shared: true,
  mine: false,
  by: 'ada@example.org',
  href: '/runs?view=b&minCost=1',
}
const query = { failure: 'any', sort: '-cost' } as const
const columns = ['prompt', 'cost'] as const

beforeEach(() => {
  for (const each of Object.values(actions))
    each.mockReset().mockResolvedValue({ ok: true, value: { id: 'new', name: 'New' } })
})

function show(given: Partial<ComponentProps<typeof RunViews>> = {}) {
  const router = { refresh: vi.fn(), push: vi.fn(), replace: vi.fn() }
  const props = {
    views: [mine, theirs],
    view: null,
    isGone: false,
    isChanged: false,
    isNarrowed: false,
    query,
    columns: [...columns],
    plainHref: '/runs?failure=any',
    viewHref: null,
    admin: false,
    ...given,
  }
  render(inPage(<RunViews {...props} />, router))
  return router
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
async function entriesOf(name: string | RegExp) {
  await press(name)
  const menu = await screen.findByRole('menu')
  return [...menu.querySelectorAll('[role^=menuitem]')].map((each) => each.textContent)
}
const pick = (name: string) =>
  userEvent.click(screen.getByText(name, { selector: '[role^=menuitem]' }))

test('the menu lists own and shared views, marks the open one and opens another', async () => {
  const router = show({ view: mine })
  expect(await entriesOf(/View: Failures/)).toEqual([
    'All runs',
    'Failures',
    'Dear[U+202E] · ada@example.org',
  ])
  expect(screen.getByRole('menuitemradio', { checked: true })).toHaveTextContent('Failures')
  await userEvent.click(screen.getByRole('menuitemradio', { name: /ada/ }))
  expect(router.push).toHaveBeenCalledWith(theirs.href)
})

test('explains views to whoever has none', async () => {
  show({ views: [] })
  await entriesOf(/View: All runs/)
  expect(screen.getByText(/Filter the list, then save/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
})

test('saves the list as a new view, and opens it', async () => {
  const router = show({ isNarrowed: true })
  await press('Save view')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await userEvent.type(name, 'Mine{Enter}')
  expect(actions.createView).toHaveBeenCalledWith({ name: 'Mine', query, columns: [...columns] })
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/runs?failure=any&view=new'))
})

test('says that the list differs from the view, saves and resets it', async () => {
  const router = show({ view: mine, isChanged: true, viewHref: '/runs?view=a&sort=-cost' })
  expect(screen.getByText('Changed')).toBeVisible()
  await press('Reset')
  expect(router.push).toHaveBeenCalledWith(mine.href)
  await press('Save')
  expect(actions.updateView).toHaveBeenCalledWith({ id: 'a', query, columns: [...columns] })
  await waitFor(() =>
    expect(router.replace).toHaveBeenCalledWith('/runs?view=a&sort=-cost', { scroll: false }),
  )
})

test('a shared view of somebody else is used and cloned, not changed', async () => {
  show({ view: theirs, isChanged: true })
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(await entriesOf('View actions')).toEqual(['Save as new view'])
  await userEvent.keyboard('{Escape}')
  await press('Save as my view')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  expect(name).toHaveValue('Dear\u202e (copy)')
})

test('admins share their own views, and stop sharing those of others', async () => {
  show({ view: mine, admin: true })
  expect(await entriesOf('View actions')).toEqual([
    'Save as new view',
    'Rename',
    'Share with everybody',
    'Delete view',
  ])
  await pick('Share with everybody')
  expect(actions.shareView).toHaveBeenCalledWith({ id: 'a', shared: true })
  expect(await screen.findByText('Everybody sees Failures now')).toBeVisible()
})

test('an admin may stop sharing and delete a view of somebody else', async () => {
  show({ view: theirs, admin: true })
  expect(await entriesOf('View actions')).toEqual([
    'Save as new view',
    'Stop sharing',
    'Delete view',
  ])
})

test('a deleted view leaves the list as it is, and comes back with Undo', async () => {
  const router = show({ view: mine })
  await entriesOf('View actions')
  await pick('Delete view')
  await waitFor(() => expect(router.push).toHaveBeenCalledWith('/runs?failure=any'))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(actions.restoreView).toHaveBeenCalledWith({ id: 'a' })
})

test('a refused name stays in its dialog, and a failed save says why', async () => {
  const error = { code: 'conflict', message: 'No.', fields: { name: 'Another view has it.' } }
  actions.updateView.mockResolvedValue({ ok: false, error })
  show({ view: mine, isChanged: true })
  await press('Save')
  expect(await screen.findByText('Not saved')).toBeVisible()
  await entriesOf('View actions')
  await pick('Rename')
  const name = await screen.findByRole('textbox', { name: 'Name' })
  expect(name).toHaveValue('Failures')
  await userEvent.type(name, ' 2{Enter}')
  expect(await screen.findByText('Another view has it.')).toBeVisible()
})

test('says that the view of an address is gone', () => {
  show({ isGone: true })
  expect(screen.getByText('Deleted, or no longer shared.')).toBeVisible()
})
