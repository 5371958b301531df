import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Role } from '@/lib/protocol/tool'
import {
  call,
  callEnd,
  message,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { ReaderRoleProvider } from './reader-role'
import { Trace } from './trace'

test.each([
  ['enabled', 'files__new', ['/tools?search=files__new', '/servers/of/files__new'], null],
  ['pinned', 'files__read', ['/servers/of/files__read'], /Ask an admin to review it\./],
  [
    'registered',
    'files__gone',
    ['/servers/of/files__gone'],
    /If you need this tool, ask an admin\./,
  ],
  ['registered', 'no_such_tool', ['/tools', '/servers'], /If you need this tool, ask an admin\./],
] as const)(
  '%s of %s leads admins to what changes it, and members to an admin',
  async (gate, name, places, words) => {
    const request = [
      start,
      roundStart(1),
      message(1, { toolCalls: [call(name)] }),
      callEnd(name, { type: 'denied', gate, reason: 'Not here.' }),
    ]
    const openCardAs = async (role: Role) => {
      const { unmount } = render(
        <ReaderRoleProvider value={role}>
          <Trace runId={runId} state={stateOf(...request)} />
        </ReaderRoleProvider>,
      )
      await userEvent.click(screen.getByRole('button', { name: new RegExp(`^${name}`) }))
      return { card: within(screen.getByRole('article')), unmount }
    }
    const admin = await openCardAs('admin')
    const links = admin.card.getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(places)
    admin.unmount()
    const { card } = await openCardAs('member')
    expect(card.queryByRole('link')).toBeNull()
    if (words) expect(card.getByText(words)).toBeVisible()
  },
)

test('the line of a closed call that a rule refused says which rule, and what it found', () => {
  const refusal =
    'The rule "Reports" refuses it: $.path is not under "/out". The call has "/etc" at $.path.'
  const reason = `${refusal} An admin can change the rule.`
  const request = [start, roundStart(1), message(1, { toolCalls: [call('write')] })]
  const denied = { type: 'denied' as const, gate: 'rule' as const, reason }
  const { rerender } = render(
    <Trace
      runId={runId}
      state={stateOf(...request, callEnd('write', { ...denied, told: refusal }))}
    />,
  )
  expect(screen.getByText(refusal)).toBeVisible()
  rerender(<Trace runId={runId} state={stateOf(...request, callEnd('write', denied))} />)
  expect(screen.getByText(/a rule refuses it/)).toBeVisible()
})
