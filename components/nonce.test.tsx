import { render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Dialog } from '@/components/ui/dialog'
import { NonceProvider } from './nonce'

afterEach(() => {
  document.head.replaceChildren()
})

test('the style that stops the page behind a dialog from scrolling has the nonce of the document', () => {
  const script = document.createElement('script')
  script.nonce = 'first'
  document.head.append(script)
  render(
    <NonceProvider nonce="of-a-later-navigation">
      <Dialog open title="Delete it?" onOpenChange={() => undefined} />
    </NonceProvider>,
  )
  const styles = [...document.head.querySelectorAll('style')]
  const locking = styles.filter(({ textContent }) => textContent?.includes('overflow: hidden'))
  expect(locking.map((style) => style.getAttribute('nonce'))).toEqual(['first'])
})
