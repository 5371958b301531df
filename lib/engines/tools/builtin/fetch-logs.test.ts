import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import type { LogLine } from '../tool-resources'
import fetchLogs from './fetch-logs'

const line = (message: string): LogLine => ({
  at: '2026-01-02T03:04:05.000Z',
  level: 'error',
  source: 'engine',
  message,
  incidentId: null,
})

it('asks for the 20 newest entries of every level unless told otherwise', async () => {
  const requests: unknown[] = []
  const readLogs = async (query: unknown) => {
    requests.push(query)
    return []
  }
  await callToolDirectly(fetchLogs, {}, { readLogs })
  await callToolDirectly(fetchLogs, { level: 'warn', limit: 50 }, { readLogs })
  expect(requests).toEqual([
    { level: 'debug', limit: 21 },
    { level: 'warn', limit: 51 },
  ])
})

it.each([{ limit: 51 }, { limit: 0 }, { limit: 1.5 }, { limit: '5' }, { level: 'fatal' }])(
  'refuses %j',
  async (args) => {
    await expect(callToolDirectly(fetchLogs, args)).rejects.toThrow()
  },
)

it('gives no more than was asked for, without client address, user or payload', async () => {
  const full = { ...line('x'), ipAddress: '203.0.113.7', userId: 'u-1', payload: { a: 1 } }
  const { content, leftOut } = await callToolDirectly(
    fetchLogs,
    { limit: 2 },
    { readLogs: async () => [full, full, full] },
  )
  expect(content).toEqual([line('x'), line('x')])
  expect(leftOut).toEqual([{ what: 'older entries', why: 'this call asked for 2' }])
})

it('hides secrets that got into a message', async () => {
  const readLogs = async () => [line('refused: Bearer abc123DEF456 for sk-live-0123456789')]
  const { content, leftOut } = await callToolDirectly(fetchLogs, {}, { readLogs })
  expect(content).toEqual([line('refused: Bearer [redacted] for [redacted]')])
  expect(leftOut).toMatchObject([{ what: '2 parts' }])
})
