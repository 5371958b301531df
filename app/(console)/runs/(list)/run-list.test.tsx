import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { expect, test, vi } from 'vitest'
import type { ListedRun } from '@/lib/runs/lists/listed-run'
import { defaultRunColumns, type RunColumnKey, runColumnKeys } from '@/lib/runs/lists/view-schemas'
import type { RunRow } from '@/lib/runs/schemas'
import { packRows } from './packed-rows'
import { runColumns } from './run-columns'
import { RunList } from './run-list'

const usual: RunRow = {
  runId: 'r',
  status: 'ended',
  waiting: null,
  endReason: 'completed',
  truncated: false,
  notStarted: false,
  failure: null,
  prompt: 'Why is the disk full?',
  configurationId: 'c',
  configurationName: 'Fast',
  task: null,
  userEmail: 'ada@example.org',
  userName: 'Ada',
  model: { id: 'm', name: 'Small' },
  callTrouble: { failed: 0, denied: 0, timedOut: 0 },
  source: 'console',
  rounds: 2,
  calls: 3,
  inputTokens: 1_000,
  outputTokens: 234,
  connection: { id: 'k', name: 'Provider' },
  cachedInputTokens: 400,
  costMicroUsd: 1_500,
  costBound: 'exact',
  waitedForPeopleMs: 0,
  waitedForPlaceMs: 0,
  tags: [],
  note: null,
  createdAt: '2026-01-01T10:00:00.000Z',
  endedAt: '2026-01-01T10:00:12.000Z',
}

/** Gives the window a width; jsdom has none. */
function setWindow({ narrow }: { narrow: boolean }) {
  const query = { matches: narrow, addEventListener: vi.fn(), removeEventListener: vi.fn() }
  vi.stubGlobal('matchMedia', () => query)
}

function renderList(
  row: Partial<ListedRun>,
  admin = true,
  columns: readonly RunColumnKey[] = defaultRunColumns,
) {
  const router = { prefetch: vi.fn(), replace: vi.fn() } satisfies Partial<AppRouterInstance>
  const address = {
    path: '/runs',
    values: {},
    page: 1,
    sort: { by: '-started', default: '-started' },
  } as const
  return render(
    <AppRouterContext value={router as unknown as AppRouterInstance}>
      <NuqsTestingAdapter>
        <RunList
          columns={columns}
          rows={packRows([{ ...usual, ...row }])}
          admin={admin}
          address={address}
          phone={false}
        />
      </NuqsTestingAdapter>
    </AppRouterContext>,
  )
}

/** Shows the list as a table. */
function show(...args: Parameters<typeof renderList>) {
  setWindow({ narrow: false })
  const { unmount } = renderList(...args)
  const cells = within(screen.getByRole('table')).getAllByRole('cell')
  const texts = cells.map((cell) => cell.textContent)
  return { texts, cells, unmount }
}

test('a row says what ran, how it went, with what, for whom, what it cost and how long it took', () => {
  const { texts } = show({})
  expect(texts.slice(0, 8)).toEqual([
    'Why is the disk full?',
    'Completed',
    'Fast',
    'Small',
    'Ada',
    '1\u202f234',
    '$0.0015',
    '12.0 s',
  ])
})

test('a narrow window gets a card with the same facts, and no table', () => {
  setWindow({ narrow: true })
  renderList({})
  expect(screen.queryByRole('table')).toBeNull()
  const card = screen.getByRole('article')
  for (const fact of ['Why is the disk full?', 'Completed', '$0.0015', '12.0 s', 'Fast', 'Ada']) {
    expect(card).toHaveTextContent(fact)
  }
})

test('the members of a panel open below its card', async () => {
  setWindow({ narrow: true })
  renderList({ runId: 'p', prompt: 'Who is who?', panel })
  expect(screen.getAllByRole('article')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: '3 members of Who is who?' }))
  expect(screen.getAllByRole('article')).toHaveLength(3)
})

test('a long time is cut in its row and whole on hover', () => {
  const words = '5.00 s of work, 7.00 s waiting for approval'
  show({ waitedForPeopleMs: 7_000 })
  expect(within(screen.getByRole('table')).getByTitle(words)).toHaveTextContent(words)
})

test('members see no person', () => {
  expect(show({}, false).texts).not.toContain('Ada')
})

test('shows the columns that were chosen, in the order of the list', () => {
  expect(runColumns.map(({ key }) => key)).toEqual(runColumnKeys)
  const tags = ['billing', 'to check\u202e', 'late']
  const chosen = ['id', 'cachedTokens', 'connection', 'source', 'calls', 'tags', 'prompt'] as const
  const { texts } = show({ tags, source: 'cli' }, true, chosen)
  expect(texts).toEqual([
    'Why is the disk full?cli',
    'billingto checkU+202E+1',
    'Provider',
    'Terminal',
    '3',
    '400',
    'r',
  ])
})

test('a completed run with calls that failed or were denied is never green', () => {
  const good = show({})
  const green = good.cells[1]?.querySelector('.text-ok')
  expect(green).not.toBeNull()
  good.unmount()
  const { texts, cells } = show({ callTrouble: { failed: 1, denied: 2, timedOut: 1 } })
  expect(texts[1]).toBe('Completed · 1 failed, 2 denied, 1 timed out')
  expect(cells[1]?.querySelector('.text-ok')).toBeNull()
})

const runs = ['Fast', 'Slow'].map((member) => ({ ...usual, runId: member, member }))
const panel = {
  panelId: 'p',
  title: 'Who is who?',
  status: 'ended' as const,
  runs,
  fitting: ['Slow'],
  members: ['Fast', 'Slow', 'Refused'].map((name, place) => ({
    name,
    role: null,
    runId: runs[place]?.runId ?? null,
    endReason: place < 2 ? ('completed' as const) : null,
  })),
}

test('a panel is one row that names what the filter found, and its members open under it by keyboard', async () => {
  const { texts } = show({ runId: 'p', prompt: 'Who is who?', costMicroUsd: 3_000, panel })
  expect(texts).toHaveLength(runColumns.filter(({ key }) => defaultRunColumns.includes(key)).length)
  expect(texts[0]).toBe('3 membersWho is who?Found: Slow')
  expect(texts[1]).toBe('2 of 3 completed')
  const table = within(screen.getByRole('table'))
  const link = (name: string) => table.getByRole('link', { name }).getAttribute('href')
  expect(link('Who is who?')).toBe('/runs/panels/p')
  const members = table.getByRole('button', { name: '3 members of Who is who?', expanded: false })
  members.focus()
  await userEvent.keyboard('{Enter}')
  expect(table.getAllByRole('row')).toHaveLength(4)
  expect([link('Fast'), link('Slow')]).toEqual(['/runs/Fast', '/runs/Slow'])
  await userEvent.keyboard('{Enter}')
  expect(table.getAllByRole('row')).toHaveLength(2)
})
