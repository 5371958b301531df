import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { SearchItem, SearchPopover } from './search-popover'

function Tasks({ onChoose }: { onChoose: (name: string) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <SearchPopover
      open={open}
      onOpenChange={setOpen}
      label="Tasks"
      searchLabel="Search tasks"
      nothing="No task fits this search."
      start="Notes"
      shown="Notes"
      button={{ 'aria-label': 'Task: Notes' }}
    >
      {['Notes', 'Translate'].map((name) => (
        <SearchItem
          key={name}
          value={name}
          name={name}
          about={`what ${name} is for`}
          isChosen={name === 'Notes'}
          onSelect={() => onChoose(name)}
        />
      ))}
    </SearchPopover>
  )
}

it('opens on what is chosen, and finds the others by typing', async () => {
  const onChoose = vi.fn()
  render(<Tasks onChoose={onChoose} />)
  await userEvent.click(screen.getByRole('button', { name: 'Task: Notes' }))
  const search = screen.getByRole('combobox', { name: 'Search tasks' })
  expect(search).toHaveFocus()
  expect(screen.getByRole('option', { name: /^Notes/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.type(search, 'nothing like it')
  expect(screen.getByText('No task fits this search.')).toBeVisible()
  await userEvent.clear(search)
  await userEvent.type(search, 'transl{Enter}')
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('Translate')
})
