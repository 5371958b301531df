import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Program } from '@/lib/domains/programs/shape'
import { knownPrograms } from '@/lib/domains/programs/shared/known-programs'
import { strongerRules } from '@/lib/domains/programs/suggested-rules'
import { showInPage } from '@/tests/support/show-in-page'
import { KnownPrograms, StrongerRulesNote } from './program-form'

const choices = { me: { id: 'u1', email: 'ada@example.org' } }

test('each known program opens the form with its rules filled in, also one without any', async () => {
  const found = knownPrograms.map((program) => ({ ...program, path: `/usr/bin/${program.name}` }))
  showInPage(<KnownPrograms found={found} choices={choices} />)
  for (const { name, first, subcommands, refused } of knownPrograms) {
    await userEvent.click(screen.getByRole('button', { name: `Allow ${name}` }))
    expect(screen.getByLabelText(/^Name/)).toHaveValue(name)
    expect(screen.getByLabelText(/^Path/)).toHaveValue(`/usr/bin/${name}`)
    expect(screen.getByLabelText(/^Arguments that always/)).toHaveValue(first)
    expect(screen.getByLabelText(/^Allowed first/)).toHaveValue(subcommands)
    expect(screen.getByLabelText(/^Refused options/)).toHaveValue(refused)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  }
})

test('a program with older rules opens its form with the suggested ones, to be saved', async () => {
  const program: Program = {
    id: 'p1',
    name: 'sed',
    path: '/usr/bin/sed',
    first: null,
    subcommands: null,
    refused: '-i --debug',
    network: false,
    seconds: 60,
    memory: 512,
    readable: null,
    accepted: null,
    note: null,
    enabled: true,
    createdByLabel: 'ada@example.org',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }
  const stronger = strongerRules(program)
  if (stronger === null) throw new Error('The rules are not weaker.')
  showInPage(<StrongerRulesNote program={program} choices={choices} stronger={stronger} />)
  expect(
    screen.getByText(/sed does not always get --sandbox; it does not refuse --in-place/),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Use the suggested rules' }))
  expect(screen.getByLabelText(/^Arguments that always/)).toHaveValue('--sandbox')
  expect(screen.getByLabelText(/^Refused options/)).toHaveValue('-i --debug --in-place --file -f')
})
