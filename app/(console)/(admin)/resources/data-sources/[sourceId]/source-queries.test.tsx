import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { allowSourceQueries, refuseSourceQueries } from '../actions'
import { SourceQueries } from './source-queries'

vi.mock('../actions', () => ({
  allowSourceQueries: vi.fn(async () => ({ ok: true, value: undefined })),
  refuseSourceQueries: vi.fn(async () => ({ ok: true, value: { trouble: 'It is still there.' } })),
}))

test('queries are allowed, and the page says what that does', async () => {
  showInPage(<SourceQueries sourceId="s1" isAllowed={false} trouble={null} />)
  expect(screen.getByText(/makes a role in the database/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Allow queries' }))
  expect(allowSourceQueries).toHaveBeenCalledWith({ id: 's1' })
})

test('queries are taken back, and a role that stays is named', async () => {
  showInPage(<SourceQueries sourceId="s1" isAllowed trouble={null} />)
  await userEvent.click(screen.getByRole('button', { name: 'Take queries back' }))
  expect(refuseSourceQueries).toHaveBeenCalledWith({ id: 's1' })
  expect(await screen.findByText('It is still there.')).toBeInTheDocument()
})

test('without the right to make a role, there is no button, and the page says why', () => {
  showInPage(<SourceQueries sourceId="s1" isAllowed={false} trouble="It needs CREATEROLE." />)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText(/It needs CREATEROLE\./)).toBeInTheDocument()
})
