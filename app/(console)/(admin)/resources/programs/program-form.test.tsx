import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { knownPrograms } from '@/lib/protocol/known-programs'
import { showInPage } from '@/tests/support/show-in-page'
import { KnownPrograms } from './program-form'

vi.mock('./actions', () => ({
  addProgram: vi.fn(),
  changeProgram: vi.fn(),
  removeProgram: vi.fn(),
}))

test('each known program opens the form with its rules filled in, also one without any', async () => {
  const found = knownPrograms.map((program) => ({ ...program, path: `/usr/bin/${program.name}` }))
  const choices = { me: { id: 'u1', email: 'ada@example.org' } }
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
