import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import { ToastProvider } from '@/components/ui/toast'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  start,
  stateOf,
  updatesOf,
} from '@/tests/support/trace-events'
import { watchScrolling } from '@/tests/support/watch-scrolling'
import { callAnchor } from './call-target'
import { LiveRun } from './live-run'
import { Timeline } from './timeline'

const scrolledTo = watchScrolling()
afterEach(() => void vi.unstubAllGlobals())

const calls = ['read_file', 'list_groups']
const events: RunEventBody[] = [
  start,
  roundStart(1),
  message(1, { toolCalls: calls.map((name) => call(name)), costMicroUsd: 900 }),
  callEnd('read_file', ok('1')),
  callEnd('list_groups', { type: 'denied', gate: 'enabled', reason: 'It is off.' }),
  roundStart(2),
  message(2, { text: 'Done.' }),
]
const state = stateOf(...events, end)
const timeline = () => within(screen.getByRole('navigation', { name: 'Timeline' }))
const names = () =>
  timeline()
    .getAllByRole('link')
    .map((link) => link.getAttribute('aria-label'))

const showRun = () =>
  render(
    <QueryProvider>
      <ToastProvider>
        <LiveRun runId="r" initial={state} />
      </ToastProvider>
    </QueryProvider>,
  )

test('each round and call has a bar with a name, in order; what took longest and cost most is named', () => {
  render(<Timeline state={state} />)
  expect(names()).toEqual([
    expect.stringMatching(/^Round 1, 1\.24 s, from \d+ ms, first token after 300 ms$/),
    expect.stringMatching(/^read_file, done, 12 ms, from /),
    expect.stringMatching(/^list_groups, denied, 12 ms, from /),
    expect.stringMatching(/^Round 2, 1\.24 s, from /),
  ])
  expect(screen.getByText('Slowest: round 1, 1.24 s')).toBeVisible()
  expect(screen.getByText('Dearest: round 1, $0.0009')).toBeVisible()
})

test('it is one stop of Tab; arrows, Home and End move, and Tab comes back to where they led', async () => {
  render(
    <>
      <Timeline state={state} />
      <button type="button">After</button>
    </>,
  )
  const links = timeline().getAllByRole('link')
  await userEvent.tab()
  expect(links[0]).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  expect(links[2]).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}')
  expect(links[1]).toHaveFocus()
  await userEvent.keyboard('{End}{ArrowDown}')
  expect(links[3]).toHaveFocus()
  await userEvent.keyboard('{Home}{ArrowDown}')
  await userEvent.tab()
  expect(screen.getByRole('button', { name: 'After' })).toHaveFocus()
  await userEvent.tab({ shift: true })
  expect(links[1]).toHaveFocus()
})

test('a bar leads to its round or call, again and again', async () => {
  showRun()
  const [round, first] = timeline().getAllByRole('link')
  const header = screen.getByRole('button', { name: /^read_file/ })
  expect(first).toHaveAttribute('href', `#${callAnchor('call-read_file')}`)
  for (const _ of [1, 2]) {
    first?.focus()
    await userEvent.keyboard('{Enter}')
    expect(header).toHaveAttribute('aria-expanded', 'true')
    expect(header).toHaveFocus()
    expect(scrolledTo.at(-1)).toBe(header.closest('article'))
    await userEvent.click(header)
    expect(header).toHaveAttribute('aria-expanded', 'false')
  }
  if (round) await userEvent.click(round)
  expect(screen.getByRole('heading', { name: 'Round 1' })).toHaveFocus()
  expect(scrolledTo.at(-1)).toBe(screen.getByRole('region', { name: 'Round 1' }))
})

test('the part that is on the screen is marked', () => {
  let tell: IntersectionObserverCallback = () => {}
  const watched: Element[] = []
  class Observer {
    constructor(callback: IntersectionObserverCallback) {
      tell = callback
    }
    observe(element: Element) {
      watched.push(element)
    }
    unobserve() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  showRun()
  expect(watched).toHaveLength(4)
  const notice = (isIntersecting: boolean) =>
    act(() => {
      const target = screen.getByRole('region', { name: 'Round 2' })
      Reflect.apply(tell, null, [[{ target, isIntersecting }]])
    })
  const marked = () =>
    timeline()
      .queryAllByRole('link', { current: true })
      .map((link) => link.getAttribute('href'))
  expect(marked()).toEqual([])
  notice(true)
  expect(marked()).toEqual(['#round-2'])
  notice(false)
  expect(marked()).toEqual([])
})

test('pieces of an answer render nothing; an event does', () => {
  const text: RunPiece = { type: 'text-delta', data: { round: 2, text: 'word ' } }
  const updates = updatesOf(...events.slice(0, -1), text, text)
  const { rerender } = render(<Timeline state={foldRun(updates.slice(0, -2))} />)
  const unread = Object.defineProperty({ ...foldRun(updates) }, 'rounds', {
    get: () => {
      throw new Error('It was rendered.')
    },
  })
  rerender(<Timeline state={unread} />)
  expect(names()[3]).toMatch(/^Round 2, in progress/)
  rerender(<Timeline state={state} />)
  expect(names()[3]).toMatch(/^Round 2, 1\.24 s/)
})

test('a refused run without a round has no picture', () => {
  render(<Timeline state={stateOf(start, end)} />)
  expect(screen.queryByRole('navigation')).toBeNull()
})
