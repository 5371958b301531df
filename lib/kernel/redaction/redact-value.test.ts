import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactValue } from './redact-value'

describe('redactValue', () => {
  it('hides what stands under a secret name, however deep, and keeps counts', () => {
    const value = {
      user: 'ada',
      password: 'hunter2',
      headers: { authorization: 'Bearer x', 'x-api-key': ['a'], accept: 'json' },
      usage: { inputTokens: 12, token: null },
    }
    expect(redactValue(value)).toEqual({
      user: 'ada',
      password: '[redacted]',
      headers: { authorization: '[redacted]', 'x-api-key': '[redacted]', accept: 'json' },
      usage: { inputTokens: 12, token: null },
    })
  })

  it('keeps what an error says and what it carries, without secrets', () => {
    const cause = new TypeError('connect postgres://u:pa55word@db failed')
    const error = Object.assign(new Error('401 for sk-abcdefgh1234', { cause }), {
      status: 401,
      headers: { 'x-api-key': 'k' },
    })
    expect(redactValue(error)).toMatchObject({
      type: 'Error',
      message: '401 for [redacted]',
      status: 401,
      headers: { 'x-api-key': '[redacted]' },
      cause: { type: 'TypeError', message: 'connect postgres://[redacted]@db failed' },
    })
    expect(JSON.stringify(redactValue(error))).not.toMatch(/pa55word|abcdefgh/)
  })

  it('survives cycles, depth, getters that throw, and odd values', () => {
    const cycle: Record<string, unknown> = { name: 'loop' }
    cycle.self = cycle
    expect(JSON.stringify(redactValue(cycle))).toContain('[nested too deep]')
    const trap = {
      get boom() {
        throw new Error('no')
      },
    }
    expect(redactValue({ trap })).toEqual({ trap: '[unreadable]' })
    expect(
      redactValue({
        at: new Date(0),
        bad: new Date(Number.NaN),
        url: new URL('https://u:pass1234@h/x'),
        bytes: Buffer.from('abc'),
        map: new Map([['token', 'x']]),
        set: new Set([1]),
        big: 7n,
        not: Number.NaN,
        none: undefined,
        act: () => 1,
      }),
    ).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      bad: 'Invalid Date',
      url: 'https://[redacted]@h/x',
      bytes: '[3 bytes]',
      map: { token: '[redacted]' },
      set: [1],
      big: '7',
      not: 'NaN',
    })
  })

  it('bounds texts, lists and objects', () => {
    const scrubbed = redactValue({
      text: 'word '.repeat(10_000),
      list: Array.from({ length: 500 }, (_, index) => index),
      object: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1])),
    })
    expect(JSON.stringify(scrubbed).length).toBeLessThan(12_000)
    expect(JSON.stringify(scrubbed)).toContain('[500 items in all]')
  })

  it('gives text that PostgreSQL takes: no NUL, no control characters, no lone surrogates', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true }),
        fc.string({ unit: 'binary' }),
        (thing, text) => {
          const json = JSON.stringify(redactValue({ thing, text: `a\u0000${text}\ud800` }))
          expect(JSON.parse(json).text.isWellFormed()).toBe(true)
          expect(json).not.toMatch(/\\u0000|\\ud[89ab]/)
        },
      ),
    )
  })
})
