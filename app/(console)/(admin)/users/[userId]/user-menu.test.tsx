import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { UserDetails } from '@/lib/domains/users/reads'
import { showInPage } from '@/tests/support/show-in-page'
import { UserMenu } from './user-menu'

vi.mock('../actions', () => ({ revokeUserLink: vi.fn() }))

const ada = { id: 'u1', role: 'admin', state: 'active', linkExpiresAt: null } as UserDetails

test.each([['Make member…'], ['Reset second factor…'], ['Delete…']])(
  'on one’s own account, "%s" is disabled and says who can do it',
  async (name) => {
    showInPage(<UserMenu user={ada} own hasFactor onAsk={vi.fn()} />)
    await userEvent.click(screen.getByRole('button'))
    const item = await screen.findByRole('menuitem', { name })
    expect(item).toHaveAttribute('aria-disabled', 'true')
    expect(item).toHaveAccessibleDescription(
      'This is your own account: only another admin can do these.',
    )
  },
)
