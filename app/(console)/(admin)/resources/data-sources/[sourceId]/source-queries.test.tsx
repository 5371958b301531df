import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { allowSourceQueries, refuseSourceQueries, switchQueryTool } from '../actions'
import { SourceQueries } from './source-queries'

vi.mock('../actions', () => ({
  switchQueryTool: vi.fn(async () => ({ ok: true, value: undefined })),
  allowSourceQueries: vi.fn(async () => ({ ok: true, value: undefined })),
  refuseSourceQueries: vi.fn(async () => ({ ok: true, value: { trouble: 'It is still there.' } })),
}))

test('queries are allowed, and the page says what that does', async () => {
  showInPage(<SourceQueries tool="on" sourceId="s1" isAllowed={false} problem={null} />)
  expect(screen.getByText(/Makes a database role/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Allow queries' }))
  expect(allowSourceQueries).toHaveBeenCalledWith({ id: 's1' })
})

test('queries are taken back, and a role that stays is named', async () => {
  showInPage(<SourceQueries tool="on" sourceId="s1" isAllowed problem={null} />)
  await userEvent.click(screen.getByRole('button', { name: 'Take queries back' }))
  expect(refuseSourceQueries).toHaveBeenCalledWith({ id: 's1' })
  expect(await screen.findByText('It is still there.')).toBeInTheDocument()
})

test('without the right to make a role, there is no button, and the page says why', () => {
  showInPage(
    <SourceQueries tool="on" sourceId="s1" isAllowed={false} problem="It needs CREATEROLE." />,
  )
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByText(/It needs CREATEROLE\./)).toBeInTheDocument()
})

test('the tool for queries is switched on here when queries are allowed and it is off', async () => {
  showInPage(<SourceQueries tool="off" sourceId="s1" isAllowed problem={null} />)
  expect(screen.getByText(/run_query is off/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Switch on run_query' }))
  expect(switchQueryTool).toHaveBeenCalledWith({ name: 'run_query', enabled: true, reason: '' })
})

test('a group of tools that is off is named, because the tool cannot be switched on alone', () => {
  showInPage(<SourceQueries tool="group-off" sourceId="s1" isAllowed problem={null} />)
  expect(screen.queryByRole('button', { name: 'Switch on run_query' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Tools' })).toHaveAttribute(
    'href',
    '/tools?search=run_query',
  )
})
