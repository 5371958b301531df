import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showInPage } from '@/tests/support/show-in-page'
import { ModelActions } from './model-actions'

async function remove(users: number): Promise<HTMLElement> {
  showInPage(<ModelActions modelId="m" name="Small" users={users} />)
  fireEvent.keyDown(screen.getByRole('button', { name: 'More' }), { key: 'Enter' })
  return screen.findByRole('menuitem', { name: 'Delete…' })
}

test('a model that is in use cannot be deleted, and the page says why', async () => {
  const entry = await remove(2)
  expect(entry).toHaveAttribute('aria-disabled', 'true')
  expect(entry).toHaveAccessibleDescription('In use by 2 configurations.')
})

test('an unused one can be deleted', async () => {
  expect(await remove(0)).not.toHaveAttribute('aria-disabled')
})
