import { expect, test, vi } from 'vitest'
import type { ActionResult } from '@/lib/next/action'
import { confirmationCookie } from '@/lib/protocol/typed-confirmation'
import { confirmWith, sendAction } from './use-act'

const nothing = async () => null

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
  const stop = confirmWith({ identity: ask, nobodyLeft: nothing, brokenCases: nothing })
  expect(await sendAction(send)).toEqual(expected)
  stop()
  expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([1, sent])
})

const refusedForNobody = {
  ok: false as const,
  error: { code: 'unconfirmed', message: 'Nobody could approve calls of exec.' },
}

test('a change after which nobody could approve is sent again with the typed text, and only that once', async () => {
  vi.stubGlobal('document', { cookie: '' })
  const cookies: string[] = []
  const send = vi.fn(async () => {
    cookies.push(document.cookie)
    return cookies.length === 1 ? refusedForNobody : ({ ok: true, value: 'done' } as const)
  })
  const ask = vi.fn(async () => 'nobody can approve')
  const stop = confirmWith({ identity: async () => false, nobodyLeft: ask, brokenCases: nothing })
  expect(await sendAction(send)).toEqual({ ok: true, value: 'done' })
  stop()
  expect(ask).toHaveBeenCalledWith('Nobody could approve calls of exec.')
  const value = confirmationCookie('nobody can approve', 'Nobody could approve calls of exec.')
  const sent = `toolgate-confirm=${value}; path=/; max-age=60; samesite=strict`
  expect(cookies).toEqual(['', sent])
  expect(document.cookie).toBe('toolgate-confirm=; path=/; max-age=0; samesite=strict')
  vi.unstubAllGlobals()
})

test('a change that would lose something else than the person read asks again', async () => {
  vi.stubGlobal('document', { cookie: '' })
  const other = { ...refusedForNobody.error, message: 'Nobody could approve calls of run.' }
  const send = vi
    .fn<() => Promise<ActionResult<string>>>()
    .mockResolvedValueOnce(refusedForNobody)
    .mockResolvedValueOnce({ ok: false, error: other })
    .mockResolvedValue({ ok: true, value: 'done' })
  const ask = vi.fn(async () => 'nobody can approve')
  const stop = confirmWith({ identity: async () => false, nobodyLeft: ask, brokenCases: nothing })
  expect(await sendAction(send)).toEqual({ ok: true, value: 'done' })
  stop()
  expect(ask.mock.calls).toEqual([[refusedForNobody.error.message], [other.message]])
  vi.unstubAllGlobals()
})

test('a change that also breaks policy cases is sent with both texts', async () => {
  vi.stubGlobal('document', { cookie: '' })
  const broken = { code: 'breaks-policy-cases', message: 'It breaks the policy case "A".' }
  const send = vi
    .fn<() => Promise<ActionResult<string>>>()
    .mockResolvedValueOnce(refusedForNobody)
    .mockResolvedValueOnce({ ok: false, error: broken })
    .mockResolvedValue({ ok: true, value: 'done' })
  const ask = vi.fn(async () => 'agreed')
  const nobodyLeft = async () => 'nobody can approve'
  const stop = confirmWith({ identity: async () => false, nobodyLeft, brokenCases: ask })
  expect(await sendAction(send)).toEqual({ ok: true, value: 'done' })
  stop()
  expect(ask.mock.calls).toEqual([[broken.message]])
  expect(document.cookie).toContain('toolgate-break-checks=; path=/; max-age=0')
  vi.unstubAllGlobals()
})

test('a change that a person does not confirm stays refused', async () => {
  const send = vi.fn(async () => refusedForNobody)
  const stop = confirmWith({
    identity: async () => true,
    nobodyLeft: nothing,
    brokenCases: nothing,
  })
  expect(await sendAction(send)).toEqual(refusedForNobody)
  stop()
  expect(send).toHaveBeenCalledTimes(1)
})
