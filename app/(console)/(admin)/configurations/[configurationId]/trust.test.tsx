import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { Trust } from './trust'

vi.mock('../actions', () => ({ changePolicy: vi.fn() }))

const least = { connectionName: 'Far', zone: 'external-global' } as const
const show = (limit: 'content' | 'diagnostics') =>
  showInPage(
    <Trust
      configurationId="c1"
      chain={[]}
      raised={limit === 'content' ? null : limit}
      trust={{ least, own: 'content', limit, higher: ['diagnostics'] }}
    />,
  )

test('the page of a configuration says the limit of its trust zone', () => {
  show('content')
  expect(screen.getByText(/^Runs may send data up to/)).toHaveTextContent(
    'Runs may send data up to content. The lowest trust zone decides: Far, external, global.',
  )
})

test('a raised limit is said beside the one of the trust zone, with what it lets through', () => {
  show('diagnostics')
  expect(screen.getByText(/^The zone of/)).toHaveTextContent(
    'The zone of Far allows up to content. An admin raised it to diagnostics. Diagnostics: logs, accounts, state of this installation.',
  )
  expect(screen.queryByText(/^Runs may send data/)).toBeNull()
})
