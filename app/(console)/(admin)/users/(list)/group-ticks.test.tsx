import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { GroupTicks } from './group-ticks'

function Field({ count }: { count: number }) {
  const [picked, setPicked] = useState<string[]>([])
  const groups = Array.from({ length: count }, (_, at) => ({ id: `g${at}`, name: `Team ${at}` }))
  return (
    <form>
      <GroupTicks groups={groups} picked={picked} onChange={setPicked} />
    </form>
  )
}
const names = () => screen.getAllByRole('checkbox').map((box) => box.closest('li')?.textContent)

it('finds groups by name, and keeps in sight which are ticked', () => {
  render(<Field count={20} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Team 3' }))
  const search = screen.getByRole<HTMLInputElement>('searchbox')
  expect(search.form).toBeNull()
  fireEvent.change(search, { target: { value: 'team 17' } })
  expect(names()).toEqual(['Team 3', 'Team 17'])
  expect(screen.getByRole('checkbox', { name: 'Team 3' })).toBeChecked()
})

it('has no search where all are seen at a glance', () => {
  render(<Field count={3} />)
  expect(names()).toHaveLength(3)
  expect(screen.queryByRole('searchbox')).toBeNull()
})
