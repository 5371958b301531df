import { afterEach, vi } from 'vitest'

// Files share a process: what a test leaves behind must not fail others. Spies go first: one that was put on a mocked timer
// would otherwise bring that back.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})
