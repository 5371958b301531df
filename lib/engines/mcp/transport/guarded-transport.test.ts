import type { Transport } from '@modelcontextprotocol/client'
import { expect, test, vi } from 'vitest'
import { guarded } from './guarded-transport'

test('a message that is nested too deeply is not passed on, however it was read', () => {
  const transport: Transport = {
    start: async () => undefined,
    send: async () => undefined,
    close: async () => undefined,
  }
  const onError = vi.fn()
  const onmessage = vi.fn()
  Object.assign(guarded(transport, { log: () => undefined, onError }).transport, { onmessage })
  const receive = (levels: number) => {
    const text = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    const result = { content: [], structuredContent: { text } }
    transport.onmessage?.({ jsonrpc: '2.0', id: 1, result })
  }
  receive(61)
  expect([onmessage.mock.calls.length, onError.mock.calls]).toEqual([1, []])
  receive(62)
  receive(3_000)
  expect(onmessage).toHaveBeenCalledTimes(1)
  const tooMuch = expect.objectContaining({ code: 'too-much' })
  expect(onError.mock.calls).toEqual([[tooMuch], [tooMuch]])
})
