import { afterEach, expect, it, vi } from 'vitest'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import { gateTitle } from '@/lib/protocol/gate-answers'
import type { PromptMemory } from '@/lib/protocol/memory'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import type { RunEventBody, RunEventOf } from '@/lib/protocol/run/run-event'
import { providerFailure } from '@/tests/support/scripted-model'
import { callEnd, ok, roundStart, start, updatesOf } from '@/tests/support/trace-events'
import { createTracePrinter } from './trace-printer'

afterEach(() => {
  vi.restoreAllMocks()
})

const print = (bodies: RunEventBody[]) => printAll(updatesOf(...bodies))

function printAll(updates: RunUpdate[]): string {
  let written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text
    return true
  })
  const show = createTracePrinter()
  for (const update of updates) show(update)
  return written
}

const firstLine = '── Round 1 ──\n'

function message(text: string, reasoning = ''): RunEventOf<'message'> {
  return {
    type: 'message',
    data: {
      round: 1,
      target: 0,
      text,
      reasoning: reasoning === '' ? [] : [{ text: reasoning, signature: null, redacted: false }],
      toolCalls: [],
      finishReason: 'stop',
      usage: emptyUsage,
      costMicroUsd: null,
      latencyMs: 1,
      firstTokenMs: 1,
      retries: 0,
    },
  }
}

it('adds only what of a message was not streamed: the last pieces may be gone before they are read', () => {
  const updates = updatesOf(
    roundStart(1),
    { type: 'reasoning-delta', data: { round: 1, text: 'Think ' } },
    message('Hello there.', 'Think twice.'),
  )
  expect(printAll(updates)).toBe(`${firstLine}Think twice.\nHello there.`)
})

it('repeats nothing', () => {
  const [begun, ...answer] = updatesOf(
    roundStart(1),
    { type: 'text-delta', data: { round: 1, text: 'Hello ' } },
    { type: 'text-delta', data: { round: 1, text: 'there.' } },
    message('Hello there.'),
  )
  if (!begun) throw new Error('There is no round.')
  expect(printAll([begun, ...answer.slice(0, -1), ...answer])).toBe(`${firstLine}Hello there.`)
})

it('says what the provider reports where that differs from the stored prices', () => {
  const answer = message('Hello.')
  const cost = (reportedCostMicroUsd: number) => ({
    ...answer,
    data: { ...answer.data, costMicroUsd: 4_500, usage: { ...emptyUsage, reportedCostMicroUsd } },
  })
  expect(print([cost(4_200)])).toContain('provider reported $0.0042, $0.0045 by the stored prices')
  expect(print([cost(4_500)])).not.toContain('reported')
})

it('shows what steers a terminal instead of sending it there', () => {
  const body: RunEventBody = {
    type: 'call-end',
    data: {
      round: 1,
      callId: 'c',
      name: 'read\u001b[2J',
      verdict: { allowed: true },
      outcome: { type: 'failed', code: 'x', message: 'no\u0007pe', incidentId: null },
      durationMs: 3,
    },
  }
  expect(print([body])).toBe('✗ read[␛][2J · 3 ms · failed: no[␇]pe\n')
})

it('counts the images of a result and says which were left out', () => {
  const image = { id: 'i', name: 'i.png', type: 'image/png' as const, bytes: 3, sha256: 'i' }
  const images = [{ ...image, dataClass: 'content' as const }]
  const imagesLeftOut = ['1 image was left out: not PNG, JPEG, WebP or GIF.']
  const text = print([callEnd('camera', ok('Now.', { images, imagesLeftOut }))])
  expect(text).toContain('4 bytes, 1 image\n')
  expect(text).toContain('! 1 image was left out: not PNG')
})

it('says that a result is complete, or what is missing and why', () => {
  const whole = print([callEnd('look', ok('Now.', { leftOut: [] }))])
  expect(whole).toContain('4 bytes, complete\n')
  const leftOut = [{ what: '2 of 3 rows', why: 'a call lists at most one' }]
  const part = print([callEnd('look', ok('Now.', { leftOut }))])
  expect(part).toContain('  ! Left out: 2 of 3 rows (a call lists at most one).\n')
  expect(part).not.toContain('complete')
})

it('says that a run was not started instead of calling it truncated', () => {
  const refused: RunEventBody = {
    type: 'run-end',
    data: {
      reason: 'budget',
      truncated: false,
      notStarted: true,
      message: 'Daily site budget used up.',
      failure: null,
      usage: emptyUsage,
      costMicroUsd: 0,
      wallTimeMs: 3,
    },
  }
  expect(print([refused])).toContain('── not started: budget ·')
})

it('says what the cache of the provider saved, of each round and of the run', () => {
  const usage = { ...emptyUsage, inputTokens: 1200, cachedInputTokens: 1000 }
  const { type, data } = message('Quiet.')
  const round = { type, data: { ...data, usage } }
  const ended: RunEventBody = {
    type: 'run-end',
    data: {
      reason: 'completed',
      truncated: false,
      message: '',
      failure: null,
      wallTimeMs: 3,
      usage: { ...usage, inputTokens: 2400, cachedInputTokens: 2000 },
      costMicroUsd: 0,
    },
  }
  const lines = print([start, round, round, ended]).replaceAll('\u202f', ',').split('\n')
  expect(lines.filter((line) => line.includes('cache'))).toEqual([
    '  1,000 from the cache, saved $0.000999',
    '  1,000 from the cache, saved $0.000999',
    '  2,000 from the cache, saved $0.001998',
  ])
})

it('names the command that mends the run', () => {
  const failed: RunEventBody = {
    type: 'run-end',
    data: {
      reason: 'provider-error',
      truncated: false,
      message: 'The provider refused the API key (HTTP 401).',
      failure: { ...providerFailure('auth', { status: 401 }) },
      usage: emptyUsage,
      costMicroUsd: 0,
      wallTimeMs: 3,
    },
  }
  expect(print([start, failed])).toContain('  toolgate key set --connection Loopback < key.txt')
})

it('says how many notes stood in the prompt, or which gate kept them out', () => {
  const begun = (memory: PromptMemory) => print([{ ...start, data: { ...start.data, memory } }])
  const note = { id: 'n', text: 'Ada wants tables.', date: '' }
  const read = { type: 'read' as const, notes: [note], leftOut: 2, flags: [] }
  expect(begun(read)).toContain('\n  Notes from memory: 1, 2 left out\n')
  const reason = 'Switched off for this site.'
  expect(begun({ type: 'denied', gate: 'enabled', reason })).toContain(
    `  Notes from memory: not read (${gateTitle({ gate: 'enabled' })}). ${reason}\n`,
  )
})
