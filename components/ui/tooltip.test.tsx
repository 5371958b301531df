import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Tooltip, TooltipProvider } from './tooltip'

// Starts at a field, where jsdom matches :focus-visible whatever the tests before focused.
it('is shown on keyboard focus', async () => {
  render(
    <TooltipProvider>
      <input aria-label="Name" />
      <Tooltip content="What it does">
        <button type="button">Do</button>
      </Tooltip>
    </TooltipProvider>,
  )
  await userEvent.tab()
  await userEvent.tab()
  expect(screen.getByRole('button')).toHaveFocus()
  expect(await screen.findByRole('tooltip')).toHaveTextContent('What it does')
})
