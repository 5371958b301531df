import { expect, test, vi } from 'vitest'
import type { ActionResult } from '@/lib/next/action'
import { confirmWith, sendAction } from './use-act'

const refusedForProof: ActionResult<string> = {
  ok: false,
  error: { code: 'confirm-identity', message: 'Confirm that it is you.' },
}

test.each([
  ['nobody was reached', new TypeError('Failed to fetch'), 'unreachable', /did not answer/],
  ['an answer was none', new Error('An unexpected response'), 'unusable', /Reload the page/],
])('when %s, it says what can be done', async (_, thrown, code, message) => {
  const result = await sendAction(() => Promise.reject(thrown))
  expect(result).toMatchObject({
    ok: false,
    error: { code, message: expect.stringMatching(message) },
  })
})

test('a session that ended is named with the way to go on', async () => {
  const error = { code: 'unauthenticated', message: 'Sign in to continue.' }
  const result = await sendAction(async () => ({ ok: false, error }) as const)
  expect(result).toMatchObject({ error: { message: expect.stringContaining('another tab') } })
})

test('an action that was refused before it ran says why, and asks to sign in where that is missing', async () => {
  const refused = (code: string, message: string) =>
    sendAction(() => Promise.reject(new Error(JSON.stringify({ code, message }))))
  const error = { code: 'too-large', message: 'This is larger than 1 MiB.' }
  expect(await refused(error.code, error.message)).toEqual({ ok: false, error })
  expect(await refused('unauthenticated', 'Sign in.')).toMatchObject({
    error: { message: expect.stringContaining('another tab') },
  })
})

test.each([
  [true, { ok: true, value: 'done' }, 2],
  [false, refusedForProof, 1],
] as const)('a person who is asked who they are and %s', async (proves, expected, sent) => {
  const send = vi
    .fn<() => Promise<ActionResult<string>>>()
    .mockResolvedValueOnce(refusedForProof)
    .mockResolvedValue({ ok: true, value: 'done' })
  const ask = vi.fn(async () => proves)
  const stop = confirmWith(ask)
  expect(await sendAction(send)).toEqual(expected)
  stop()
  expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([1, sent])
})
