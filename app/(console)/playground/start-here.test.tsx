import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { samplePromptsFor } from '@/lib/protocol/sample-prompts'
import { StartHere } from './start-here'

it('offers prompts that call the tools of this run, and picks one', async () => {
  const onPick = vi.fn()
  render(<StartHere examples={samplePromptsFor(['list_users'])} onPick={onPick} />)
  expect(screen.getByText(/To start, pick an example:/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Who may sign in here?' }))
  expect(onPick).toHaveBeenCalledWith('Who may sign in here?')
})

it('offers none when their tools are not installed', () => {
  render(<StartHere examples={samplePromptsFor(['sing'])} onPick={vi.fn()} />)
  expect(screen.getByText(/Write a prompt and run it/)).toBeVisible()
  expect(screen.queryByText(/pick an example/)).toBeNull()
  expect(screen.queryByRole('list')).toBeNull()
  expect(screen.queryAllByRole('button')).toEqual([])
})
