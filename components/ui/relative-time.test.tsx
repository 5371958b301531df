import { act } from '@testing-library/react'
import { hydrateRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { RelativeTime } from './relative-time'

test('the server’s words stand until the reader’s clock knows better, and nothing else changes', async () => {
  const at = new Date(Date.now() - 5 * 60_000 - 30_000).toISOString()
  const container = document.createElement('div')
  container.innerHTML = `<time datetime="${at}" tabindex="0">4 minutes ago</time>`
  const [element] = container.children
  const onRecoverableError = vi.fn()
  const page = (
    <>
      <RelativeTime at={at} />
    </>
  )
  const root = await act(async () => hydrateRoot(container, page, { onRecoverableError }))
  expect(container.children[0]).toBe(element)
  expect(container.textContent).toBe('5 minutes ago')
  expect(onRecoverableError).not.toHaveBeenCalled()
  await act(async () => root.unmount())
})
