import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { AskForHost } from './ask-for-host'
import { HostRequestProvider } from './host-request'
import { ReaderRoleProvider } from './reader-role'

const call = JSON.stringify({ url: 'https://Wiki.example:443/page' })

function show(role: 'admin' | 'member', argumentsText: string) {
  const ask = vi.fn(async () => ({ ok: true, value: { isListed: false } }) as const)
  showInPage(
    <ReaderRoleProvider value={role}>
      <HostRequestProvider value={ask}>
        <AskForHost argumentsText={argumentsText} />
      </HostRequestProvider>
    </ReaderRoleProvider>,
  )
  return ask
}

test('a member asks for the host of the address', async () => {
  const ask = show('member', call)
  await userEvent.click(screen.getByRole('button', { name: 'Ask for this host' }))
  expect(ask).toHaveBeenCalledWith({ origin: 'https://wiki.example' })
  expect(await screen.findByText('Host asked for')).toBeVisible()
})

test('an admin is led to the form with the origin filled in', () => {
  show('admin', call)
  expect(screen.getByRole('link', { name: 'Add this host' })).toHaveAttribute(
    'href',
    '/resources/hosts?ask=https%3A%2F%2Fwiki.example',
  )
})

it.each([
  '',
  'null',
  '[]',
  '{"url":1}',
  '{"url":"file:///etc/passwd"}',
  '{"url":"https://a@b.example"}',
])('nothing is shown for the arguments %s', (argumentsText) => {
  show('member', argumentsText)
  expect(screen.queryByRole('button')).toBeNull()
})
