import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { PendingApprovals } from '@/components/shell/pending-approvals'
import type { Role } from '@/lib/protocol/tool'
import { inPage } from '@/tests/support/show-in-page'
import { Breadcrumbs, Navigation } from './navigation'

const reader: Role = 'admin'

function show(counts: { pending: number; alerts: number; consents?: number }, collapsed = false) {
  const initial = { consents: 0, ...counts }
  vi.stubGlobal('fetch', async () => Response.json(initial))
  return showAt(
    <PendingApprovals initial={initial}>
      <Navigation role={reader} collapsed={collapsed} />
    </PendingApprovals>,
  )
}

/** Renders a part of the page of a run. */
function showAt(children: ReactNode) {
  const router = { push: () => undefined, prefetch: () => undefined }
  return render(inPage(children, router, '/runs/1'))
}

test.each([false, true])('badges say what they count (collapsed: %s)', async (collapsed) => {
  show({ pending: 1, alerts: 2 }, collapsed)
  const approvals = screen.getByRole('link', { name: /^Approvals ?1 call waiting for approval$/ })
  expect(screen.getByRole('link', { name: /^Usage ?2 budget alerts$/ })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Runs' })).toBeInTheDocument()
  await userEvent.hover(approvals)
  expect(await screen.findByRole('tooltip')).toHaveTextContent(
    'Approvals: 1 call waiting for approval',
  )
})

test('schedules that ask for consent are counted with the calls that wait', () => {
  show({ pending: 2, alerts: 0, consents: 1 })
  const words = '2 calls waiting for approval, 1 schedule waiting for your consent'
  const name = new RegExp(`^Approvals ?${words}$`)
  expect(screen.getByRole('link', { name })).toBeInTheDocument()
})

test('an entry with nothing to count has no badge', () => {
  show({ pending: 0, alerts: 0 })
  expect(screen.getByRole('link', { name: 'Approvals' })).toBeInTheDocument()
})

test('the thing that a page is about stands beside its section, as in the title of the tab', async () => {
  document.title = 'Runs · Toolgate'
  showAt(<Breadcrumbs />)
  expect(screen.getByRole('link', { name: 'Runs' })).toHaveAttribute('href', '/runs')
  expect(screen.queryByText(/weather/)).toBeNull()
  document.title = 'Compare the weather · Runs · Toolgate'
  const thing = await screen.findByText('Compare the weather')
  expect(thing).toHaveAttribute('aria-current', 'page')
  document.title = 'Runs · Toolgate'
  await waitFor(() => expect(thing).not.toBeInTheDocument())
})
