import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Disclosure } from './disclosure'

const closed = <Disclosure summary="More">What is behind it</Disclosure>

test('renders its content when it is first opened', async () => {
  render(closed)
  expect(screen.queryByText('What is behind it')).toBeNull()
  await userEvent.click(screen.getByText('More'))
  expect(await screen.findByText('What is behind it')).toBeVisible()
})

test('shows its content when it was opened before React was ready', () => {
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(closed)
  container.querySelector('details')?.setAttribute('open', '')
  render(closed, { container, hydrate: true })
  expect(screen.getByText('What is behind it')).toBeVisible()
})
