import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { ConfirmChanges } from './confirm-changes'
import { SkillSourceForm } from './skill-source-form'

function Steps({ confirming }: { confirming: boolean }) {
  return (
    <>
      <SkillSourceForm hidden={confirming} busy={false} error={null} onSubmit={vi.fn()} />
      {confirming && (
        <ConfirmChanges
          changes={[
            { name: 'logs', version: 1, diff: [], allowedTools: { before: null, after: null } },
          ]}
          effects={[]}
          dropped={{ total: 0, paths: [], missed: [], refused: [], warnings: [] }}
          busy={false}
          error={null}
          onConfirm={vi.fn()}
          onBack={vi.fn()}
        />
      )}
    </>
  )
}

it('moves the focus to the part that changes, and back', () => {
  const { rerender } = render(<Steps confirming={false} />)
  screen.getByRole('button', { name: 'Add skills' }).focus()
  rerender(<Steps confirming />)
  expect(screen.getByRole('heading', { name: 'Change logs' })).toHaveFocus()
  rerender(<Steps confirming={false} />)
  expect(screen.getByRole('button', { name: 'Add skills' })).toHaveFocus()
})
