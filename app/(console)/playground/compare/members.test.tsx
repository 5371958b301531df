import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { showInPage } from '@/tests/support/show-in-page'
import { Members } from './members'

const configurations = ['Fast', 'Careful', 'Strict'].map(
  (name) =>
    ({ id: name, name, prices: { input: null, output: null } }) as unknown as ConfigurationListing,
)

function Page() {
  const [ids, setIds] = useState<string[]>(['Fast', 'Careful', 'Strict'])
  return (
    <Members
      configurations={configurations}
      ids={ids}
      errors={{}}
      mode="coordinate"
      onMode={() => undefined}
      onChange={setIds}
      onLeave={() => undefined}
    />
  )
}

const roles = () =>
  within(screen.getByRole('list', { name: 'Members' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent)

test('roles are reordered: a member takes the place before it, by keyboard, too', async () => {
  showInPage(<Page />)
  expect(screen.queryByRole('button', { name: 'Move Fast up' })).toBeNull()
  screen.getByRole('button', { name: 'Move Strict up' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: 'Move Strict up' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(roles()).toEqual([
    expect.stringMatching(/^Proposer: Strict/),
    expect.stringMatching(/^Critic: Fast/),
    expect.stringMatching(/^Synthesizer: Careful/),
  ])
  expect(screen.getByRole('list', { name: 'Members' })).toHaveFocus()
})
