import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Checkbox, triState } from './checkbox'

const all = ['a', 'b', 'c']

function Group() {
  const [picked, setPicked] = useState(['a'])
  return (
    <>
      <Checkbox
        aria-label="all"
        checked={triState(picked.length, all.length)}
        onCheckedChange={(checked) => setPicked(checked ? all : [])}
      />
      {all.map((name) => (
        <label key={name} htmlFor={name}>
          <Checkbox
            id={name}
            checked={picked.includes(name)}
            onCheckedChange={(checked) =>
              setPicked(checked ? [...picked, name] : picked.filter((each) => each !== name))
            }
          />
          {name}
        </label>
      ))}
    </>
  )
}

test('says mixed, then all, then none', async () => {
  render(<Group />)
  const group = screen.getByRole('checkbox', { name: 'all' })
  expect(group).toBePartiallyChecked()
  await userEvent.click(group)
  expect(group).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'b' })).toBeChecked()
  await userEvent.click(group)
  expect(group).not.toBeChecked()
  expect(group).not.toBePartiallyChecked()
})

test('its label and Space toggle it', async () => {
  render(<Group />)
  const b = screen.getByRole('checkbox', { name: 'b' })
  await userEvent.click(screen.getByText('b'))
  expect(b).toBeChecked()
  b.focus()
  await userEvent.keyboard(' ')
  expect(b).not.toBeChecked()
})

test('an empty group is not picked', () => {
  expect(triState(0, 0)).toBe(false)
  expect(triState(2, 2)).toBe(true)
  expect(triState(1, 2)).toBe('indeterminate')
})
