import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { RouterContext } from 'next/dist/shared/lib/router-context.shared-runtime'
import type { NextRouter } from 'next/router'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import {
  call,
  callEnd,
  message,
  ok,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { watchScrolling } from '@/tests/support/watch-scrolling'
import { CallLink } from './call-link'
import { callAnchor } from './call-target'
import { Trace } from './trace'

const scrolledTo = watchScrolling()

const calls = ['read_file', 'list_groups']
const state = stateOf(
  start,
  roundStart(1),
  message(1, { toolCalls: calls.map((name) => call(name, '{}')) }),
  ...calls.map((name) => callEnd(name, ok('1'))),
)
const hashOf = (name: string) => `#${callAnchor(`call-${name}`)}`
const trace = <Trace runId={runId} state={state} />
const header = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })

function expectShown(name: string): void {
  expect(header(name)).toHaveAttribute('aria-expanded', 'true')
  expect(header(name)).toHaveFocus()
  expect(scrolledTo.at(-1)).toBe(header(name).closest('article'))
}

/** Changes the hash, as a reader does in the address bar. */
const goTo = (hash: string) =>
  act(async () => {
    window.history.pushState(null, '', hash)
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  })

test('a call that the address names is open, in sight and focused; others stay closed', () => {
  window.location.hash = hashOf('list_groups')
  render(trace)
  expectShown('list_groups')
  expect(header('read_file')).toHaveAttribute('aria-expanded', 'false')
})

test('the call of the address is also opened on a page that the server rendered', async () => {
  window.location.hash = hashOf('read_file')
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = renderToString(trace)
  expect(header('read_file')).toHaveAttribute('aria-expanded', 'false')
  await act(async () => render(trace, { container, hydrate: true }))
  expectShown('read_file')
})

test('a changed hash opens the next call, and again one that was closed meanwhile', async () => {
  render(trace)
  expect(scrolledTo).toEqual([])
  await goTo(hashOf('read_file'))
  expectShown('read_file')
  await goTo(hashOf('list_groups'))
  expectShown('list_groups')
  await userEvent.click(header('read_file'))
  await goTo(hashOf('read_file'))
  expectShown('read_file')
})

test('a call that arrives after the page is shown when it is there', () => {
  window.location.hash = hashOf('read_file')
  const { rerender } = render(<Trace runId={runId} state={stateOf(start)} />)
  expect(scrolledTo).toEqual([])
  rerender(trace)
  expectShown('read_file')
})

test('a link on the page of the run opens its call, each time it is followed', async () => {
  const link = { callId: 'call-list_groups', toolName: 'A link' }
  // Without the bundler of Next.js, its link asks this context for the router.
  const router = { push: vi.fn(), prefetch: vi.fn(async () => undefined) } as Partial<NextRouter>
  render(
    <RouterContext value={router as NextRouter}>
      <CallLink runId={runId} call={link} />
      {trace}
    </RouterContext>,
  )
  for (let time = 0; time < 2; time++) {
    await userEvent.click(screen.getByRole('link', { name: 'A link' }))
    expectShown('list_groups')
    await userEvent.click(header('list_groups'))
  }
})
