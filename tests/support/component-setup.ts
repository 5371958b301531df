import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import * as sentObjects from './sent-objects'

// They only end what hangs: a machine that is busy with something else is no failure.
configure({ asyncUtilTimeout: 60_000 })

// Files share a process: what a failing test leaves behind must not fail others.
afterEach(() => cleanup())

// A form of a noun sends to these.
vi.mock('@/app/(console)/(admin)/resource-actions', () => import('./sent-objects'))
afterEach(() => {
  for (const send of Object.values(sentObjects)) send.mockReset()
})

// Methods that radix-ui calls and jsdom lacks.
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.setPointerCapture ??= () => {}
Element.prototype.releasePointerCapture ??= () => {}
Element.prototype.scrollIntoView ??= () => {}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
