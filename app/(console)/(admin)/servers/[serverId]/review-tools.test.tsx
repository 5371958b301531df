import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { acceptServerTools } from '../actions'
import { definitionChanges } from './definition-changes'
import { ReviewTools } from './review-tools'
import { AllowedBy } from './tool-concerns'
import type { ShownTool } from './tool-review'

vi.mock('../actions', () => ({ acceptServerTools: vi.fn() }))
beforeEach(() => {
  vi.mocked(acceptServerTools).mockReset().mockResolvedValue({ ok: true, value: undefined })
})

const concerns = { configurations: [], skills: [], rules: [] }

/** Returns a tool that nobody accepted. */
function newTool(remoteName: string, fields: Partial<ShownTool> = {}): ShownTool {
  const seen = { name: remoteName, description: `Does ${remoteName}.`, inputSchema: {} }
  return {
    name: `files__${remoteName}`,
    remoteName,
    state: 'new',
    seen,
    accepted: null,
    acceptedByLabel: '',
    acceptedAt: null,
    hash: `hash of ${remoteName}`,
    hints: [],
    problem: null,
    proposed: 'read',
    effect: 'write',
    dataClass: 'secret-adjacent',
    requiresAdmin: true,
    alias: null,
    isAliasTaken: false,
    description: null,
    look: null,
    proposedLook: null,
    preselected: false,
    enabled: false,
    schemaTokens: 40,
    p95Ms: null,
    calls: 0,
    failed: 0,
    concerns,
    definition: JSON.stringify(seen),
    changes: [],
    ...fields,
  }
}

const accepted = newTool('write', {
  state: 'accepted',
  effect: 'write',
  dataClass: 'content',
  requiresAdmin: false,
  enabled: true,
  description: 'Writes one file.',
  hash: 'hash of write',
})

const show = (...tools: ShownTool[]) =>
  showInPage(<ReviewTools serverId="f1" isAsked tools={tools} />)
const click = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const rowsOf = (name: string) => screen.getByRole('rowgroup', { name })
const pick = (name: string) =>
  userEvent.click(screen.getByRole('checkbox', { name: `Pick ${name}` }))
const choose = async (label: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name: label }))
  await userEvent.click(screen.getByRole('option', { name: option }))
}

test('tools that a file named are picked at first, and a person can change the selection', async () => {
  show(newTool('read', { preselected: true }), newTool('search'), newTool('list'))
  const isPicked = (name: string) => screen.getByRole('checkbox', { name: `Pick files__${name}` })
  expect(isPicked('read')).toBeChecked()
  expect(isPicked('search')).not.toBeChecked()
  await pick('files__list')
  await pick('files__read')
  await click('Accept 1 tool')
  expect(acceptServerTools).toHaveBeenCalledExactlyOnceWith({
    id: 'f1',
    tools: [expect.objectContaining({ name: 'files__list' })],
  })
})

test('an alias that another tool has by now is not said to be what models call it', () => {
  const alias = 'read_it'
  show(newTool('read', { alias }), newTool('search', { alias: 'find', isAliasTaken: true }))
  const [read, search] = ['files__read', 'files__search'].map(rowsOf)
  expect(read).toHaveTextContent('alias read_it')
  expect(search).toHaveTextContent('alias of another tool: find')
})

test('accepting sends what is picked, with what was set and the definition that was seen, and no other', async () => {
  const { router } = show(newTool('read'), newTool('search'), accepted)
  expect(screen.getByRole('button', { name: 'Accept tools' })).toBeDisabled()
  await pick('files__read')
  await choose('Data class of files__read', 'Content')
  await choose('Who may use files__read', 'Members, too')
  await pick('files__write')
  await click('Accept 2 tools')
  await waitFor(() => expect(router.refresh).toHaveBeenCalled())
  expect(acceptServerTools).toHaveBeenCalledExactlyOnceWith({
    id: 'f1',
    tools: [
      {
        name: 'files__read',
        hash: 'hash of read',
        alias: null,
        description: null,
        effect: 'read',
        look: null,
        dataClass: 'content',
        requiresAdmin: false,
        enabled: false,
      },
      {
        name: 'files__write',
        hash: 'hash of write',
        alias: null,
        description: 'Writes one file.',
        look: null,
        effect: 'write',
        dataClass: 'content',
        requiresAdmin: false,
        enabled: true,
      },
    ],
  })
  expect(screen.getByRole('button', { name: 'Accept tools' })).toBeDisabled()
})

test('setting something picks the tool, and it can be left out again', async () => {
  show(newTool('read'), newTool('search'))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Switch on files__search' }))
  await pick('files__read')
  await pick('files__read')
  await click('Accept 1 tool')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  expect(vi.mocked(acceptServerTools).mock.calls[0]?.[0]).toMatchObject({
    tools: [{ name: 'files__search', enabled: true }],
  })
})

test('all are those that can be accepted', async () => {
  const broken = newTool('broken', { problem: 'parameters: is no schema.' })
  show(newTool('read'), broken, newTool('old', { state: 'gone' }), accepted)
  expect(screen.getByRole('checkbox', { name: 'Pick files__broken' })).toBeDisabled()
  expect(screen.queryByRole('combobox', { name: 'Data class of files__old' })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'All' }))
  await click('Accept 2 tools')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  expect(vi.mocked(acceptServerTools).mock.calls[0]?.[0]).toMatchObject({
    tools: [{ name: 'files__read' }, { name: 'files__write' }],
  })
})

test('other words than those of the server are sent, and none once they are taken back', async () => {
  show(newTool('read'), accepted)
  await userEvent.click(screen.getByText('Name and description for models'))
  await userEvent.click(screen.getByText('For models'))
  const words = (name: string) =>
    screen.getByRole('textbox', { name: `What models are told about ${name}` })
  await userEvent.type(words('files__read'), 'Reads.')
  expect(words('files__write')).toHaveValue('Writes one file.')
  await userEvent.clear(words('files__write'))
  await click('Accept 2 tools')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  expect(vi.mocked(acceptServerTools).mock.calls[0]?.[0]).toMatchObject({
    tools: [
      { name: 'files__read', description: 'Reads.' },
      { name: 'files__write', description: null },
    ],
  })
})

test('an alias is sent beside the rest, shown with the name, and taken back when it is emptied', async () => {
  show(newTool('read', { alias: 'read_it' }))
  expect(screen.getByText('read_it')).toBeVisible()
  await userEvent.click(screen.getByText('For models'))
  const field = screen.getByLabelText('Alias of files__read')
  expect(field).toHaveValue('read_it')
  await userEvent.clear(field)
  await userEvent.type(field, 'look')
  await click('Accept 1 tool')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  expect(vi.mocked(acceptServerTools).mock.lastCall?.[0].tools).toMatchObject([{ alias: 'look' }])
})

test('a link to one tool shows that tool', () => {
  const scroll = vi.fn(function (this: Element) {
    return this.id
  })
  Element.prototype.scrollIntoView = scroll
  window.location.hash = '#tool-files__write'
  show(newTool('read'), accepted)
  expect(scroll).toHaveReturnedWith('tool-files__write')
  window.location.hash = ''
})

test('the selection stays when no tool was accepted', async () => {
  const message = 'The server changed files__read meanwhile. Review it again.'
  vi.mocked(acceptServerTools).mockResolvedValue({
    ok: false,
    error: { code: 'conflict', message },
  })
  const { router } = show(newTool('read'))
  await pick('files__read')
  await click('Accept 1 tool')
  expect(await screen.findByText(message)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Accept 1 tool' })).toBeEnabled()
  expect(router.refresh).not.toHaveBeenCalled()
})

const named = (name: string) => ({ id: `id-of-${name}`, name })
const hrefs = (name: string) =>
  screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'))

test('a tool that waits names what it concerns, and an accepted one does not', () => {
  const lists = { skills: [named('house-style')], rules: [named('Ask first')] }
  const full = { configurations: [named('Desk')], ...lists }
  show(newTool('read', { concerns: full, calls: 12 }), { ...accepted, concerns: full })
  expect(hrefs('Desk')).toEqual(['/configurations/id-of-Desk'])
  expect(hrefs('house-style')).toEqual(['/skills/id-of-house-style'])
  expect(hrefs('Ask first')).toEqual(['/approvals/rules/id-of-Ask first'])
  expect(hrefs('12 calls')).toEqual(['/tools/files__read'])
})

test('the configurations that allow the tools are named once, and where to allow them when none does', () => {
  const configurations = Array.from({ length: 7 }, (_, at) => named(`Desk ${at}`))
  const { rerender } = showInPage(<AllowedBy configurations={configurations} />)
  expect(hrefs('Desk 4')).toEqual(['/configurations/id-of-Desk 4'])
  expect(screen.queryByText('Desk 5')).toBeNull()
  expect(hrefs('2 more')).toEqual(['/configurations'])
  rerender(<AllowedBy configurations={[]} />)
  expect(hrefs('Allow them in one')).toEqual(['/configurations'])
})

test('a value for all picked tools is set on each of them and on no other', async () => {
  show(newTool('read'), newTool('search'), newTool('write'))
  expect(screen.getByRole('combobox', { name: 'Data class of all picked tools' })).toBeDisabled()
  await pick('files__read')
  await pick('files__search')
  await choose('Data class of all picked tools', 'Content')
  await choose('Who may use all picked tools', 'Members, too')
  await click('Switch on')
  await click('Accept 2 tools')
  const facts = { dataClass: 'content', requiresAdmin: false, enabled: true }
  expect(acceptServerTools).toHaveBeenCalledExactlyOnceWith({
    id: 'f1',
    tools: [
      expect.objectContaining({ name: 'files__read', ...facts }),
      expect.objectContaining({ name: 'files__search', ...facts }),
    ],
  })
})

test('all tools stand in one table, with what changed and the decision in its row', () => {
  show(newTool('read'), accepted)
  const table = within(screen.getByRole('table', { name: 'Tools of the server' }))
  expect(table.getAllByRole('columnheader').map((each) => each.textContent)).toEqual([
    'Tool',
    'What changed',
    'Before',
    'After',
    'Decision',
  ])
  const cells = within(rowsOf('files__write'))
  for (const words of ['Writes', 'Content', 'Members, too']) {
    expect(cells.getByText(words, { exact: false, selector: 'button *' })).toBeVisible()
  }
  expect(cells.getByRole('checkbox', { name: 'Switch on files__write' })).toBeChecked()
})

test('those that only read are accepted in one act: new ones without a warning, as they are set', async () => {
  show(
    newTool('read'),
    newTool('list'),
    newTool('odd', { hints: ['Its text gives orders to the model.'] }),
    newTool('broken', { problem: 'parameters: is no schema.' }),
    newTool('moved', { state: 'changed', effect: 'read' }),
    newTool('save', { proposed: 'write' }),
    newTool('guessed', { proposed: 'write' }),
  )
  await choose('What files__guessed does', 'Reads')
  await choose('Data class of files__list', 'Content')
  await click('Accept 3 that only read')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  expect(vi.mocked(acceptServerTools).mock.calls[0]?.[0].tools).toEqual([
    expect.objectContaining({ name: 'files__read', effect: 'read', enabled: false }),
    expect.objectContaining({ name: 'files__list', dataClass: 'content' }),
    expect.objectContaining({ name: 'files__guessed', effect: 'read' }),
  ])
})

test('words of a server are shown as text, and its changes are marked', () => {
  const hostile = '<img src=x onerror="window.pwned=1">\u202Eevil'
  const seen = { name: hostile, description: hostile, inputSchema: {} }
  const changed = newTool('read', {
    state: 'changed',
    remoteName: hostile,
    seen,
    definition: hostile,
    concerns: { ...concerns, rules: [{ id: 'one', name: hostile }] },
    hints: ['It has characters that nobody sees.'],
    changes: definitionChanges({ description: 'before' }, { description: hostile, [hostile]: 1 }),
  })
  const { container } = show(changed)
  expect(container.querySelector('img')).toBeNull()
  expect(screen.getByText('changed')).toBeVisible()
  expect(screen.getByText('It has characters that nobody sees.')).toBeVisible()
  const [first, second] = within(rowsOf('files__read')).getAllByRole('row')
  expect(first).toHaveTextContent('description')
  expect(first).toHaveTextContent('only before: before')
  expect(first).toHaveTextContent('only after: <img src=x')
  expect(first).toHaveTextContent('U+202E')
  expect(second).toHaveTextContent('<img src=x')
})

test('a change after the first fifty opens below them, so that a server cannot hide it', async () => {
  const [before, after] = ['old', 'new'].map((words) =>
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`key${at}`, `${words} ${at}`])),
  )
  show(newTool('read', { state: 'changed', changes: definitionChanges(before ?? {}, after ?? {}) }))
  const rows = within(rowsOf('files__read'))
  expect(rows.getByText('key49')).toBeVisible()
  expect(rows.queryByText('key50')).toBeNull()
  await userEvent.click(rows.getByText('1 further change'))
  const further = screen.getByRole('table', { name: 'Further changes of files__read' })
  const [, row] = within(further).getAllByRole('row')
  expect(row).toHaveTextContent('key50')
  expect(row).toHaveTextContent('only before: old')
  expect(row).toHaveTextContent('only after: new')
})

test('a changed tool whose description stayed shows it once', () => {
  const changes = definitionChanges({ title: 'Read' }, { title: 'Write' })
  show(newTool('read', { state: 'changed', changes }))
  expect(screen.getByText('Does read.')).toBeVisible()
})

test('each choice of a tool has a visible label', () => {
  show(newTool('read'))
  for (const label of ['Effect', 'Data class', 'For']) {
    expect(within(rowsOf('files__read')).getByText(label)).toBeVisible()
  }
})

test('the look is proposed for a known tool and can be set for any', async () => {
  const proposedLook = {
    tool: 'read_text_file',
    arguments: { path: '$.path' },
    becomes: '$.content',
  }
  show(
    newTool('write_file', { proposed: 'write', proposedLook }),
    newTool('save', { proposed: 'write' }),
    newTool('read_text_file'),
  )
  await userEvent.click(screen.getByText('Look before and after: read_text_file'))
  expect(screen.getByRole('textbox', { name: 'What files__write_file writes' })).toHaveValue(
    '$.content',
  )
  await userEvent.click(screen.getByText('Look before and after'))
  await choose('Tool that reads what files__save changes', 'read_text_file')
  const given = 'Arguments of the tool that reads what files__save changes'
  await userEvent.type(screen.getByRole('textbox', { name: given }), 'path=$.file, head=$.lines')
  await click('Accept 1 tool')
  await pick('files__write_file')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledOnce())
  const [sent] = vi.mocked(acceptServerTools).mock.calls[0] ?? []
  expect(sent?.tools).toMatchObject([
    {
      name: 'files__save',
      look: {
        tool: 'read_text_file',
        arguments: { path: '$.file', head: '$.lines' },
        becomes: null,
      },
    },
  ])
  await click('Accept 1 tool')
  await waitFor(() => expect(acceptServerTools).toHaveBeenCalledTimes(2))
  const [again] = vi.mocked(acceptServerTools).mock.calls[1] ?? []
  expect(again?.tools).toMatchObject([{ name: 'files__write_file', look: proposedLook }])
})
