import { afterEach, beforeEach, vi } from 'vitest'

/** Returns the elements that a test scrolls to. They are forgotten after each test, as is the hash of the address. */
export function watchScrolling(): Element[] {
  const scrolledTo: Element[] = []
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolledTo.push(this)
    })
  })
  afterEach(() => {
    window.history.replaceState(null, '', window.location.pathname)
    scrolledTo.length = 0
    vi.restoreAllMocks()
  })
  return scrolledTo
}
