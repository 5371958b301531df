import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'

vi.mock('./actions', () => ({ switchSkill: vi.fn() }))
// Files share a process: another one may have loaded the list of skills with its real actions.
vi.resetModules()
const { showInPage } = await import('@/tests/support/show-in-page')
const { switchSkill } = await import('./actions')
const { SkillSwitch } = await import('./skill-switch')

beforeEach(() => {
  const value = { id: 's1', name: 'check-disks', enabled: false, changed: true, limitGone: [] }
  vi.mocked(switchSkill).mockReset().mockResolvedValue({ ok: true, value })
})

function show(enabled: boolean, limit: string | null) {
  showInPage(<SkillSwitch skill={{ id: 's1', name: 'check-disks', enabled }} limit={limit} />)
  return () => userEvent.click(screen.getByRole('switch', { name: 'check-disks' }))
}

test('a skill that limits no tools is switched off at once, and that can be undone', async () => {
  const flip = show(true, null)
  await flip()
  expect(await screen.findByText('Switched off check-disks')).toBeVisible()
  expect(switchSkill).toHaveBeenLastCalledWith({ id: 's1', enabled: false, confirmed: false })
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(switchSkill).toHaveBeenLastCalledWith({ id: 's1', enabled: true, confirmed: true }),
  )
})

test('switching off a skill that limits runs asks first', async () => {
  const flip = show(true, 'In Desk, this removes the limit.')
  await flip()
  expect(await screen.findByRole('dialog')).toHaveTextContent('In Desk, this removes the limit.')
  expect(switchSkill).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Switch off check-disks' }))
  await waitFor(() => expect(switchSkill).toHaveBeenCalledOnce())
})

test('the server’s question about runs without tools is asked before it is switched on', async () => {
  const fields = { confirmed: 'Runs of Desk have no tools then.' }
  const error = { code: 'conflict', message: 'Runs of Desk have no tools then.', fields }
  vi.mocked(switchSkill).mockResolvedValueOnce({ ok: false, error })
  const flip = show(false, null)
  await flip()
  expect(await screen.findByRole('dialog', { name: 'Leave runs without tools' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Leave runs without tools' }))
  await waitFor(() =>
    expect(switchSkill).toHaveBeenLastCalledWith({ id: 's1', enabled: true, confirmed: true }),
  )
})
