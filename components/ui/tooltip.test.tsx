import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { Tooltip, TooltipProvider } from './tooltip'

it('says its words to the keyboard', async () => {
  render(
    <TooltipProvider>
      <Tooltip content="What it does">
        <button type="button">Do</button>
      </Tooltip>
    </TooltipProvider>,
  )
  await userEvent.tab()
  expect(await screen.findByRole('tooltip')).toHaveTextContent('What it does')
})
