import { expect, test } from 'vitest'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { classifyFailure } from './classify-failure'
import { HttpFailure, OverdueFailure } from './provider-error'

const coded = (code: string) => Object.assign(new Error(code), { code })
const failureOf = (error: unknown) =>
  classifyFailure(error, 'openai', providerOptions({ baseUrl: 'http://127.0.0.1:9' }), false)

test.each([
  ['no first byte in time', coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout'],
  ['silence in the middle', coded('UND_ERR_BODY_TIMEOUT'), 'timeout'],
  ['too long in all', new OverdueFailure(), 'timeout'],
  ['a connection that broke', coded('ECONNRESET'), 'connection'],
])('what was sent and never answered to its end may be charged: %s', (_words, error, category) => {
  expect(failureOf(error)).toMatchObject({ category, mayBeCharged: true })
})

test.each([
  ['refused connections', coded('ECONNREFUSED')],
  ['unknown hosts', coded('ENOTFOUND')],
  ['hosts that are not reached', coded('UND_ERR_CONNECT_TIMEOUT')],
  ['unknown certificates', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['refusals', new HttpFailure(500, {}, '')],
])('nothing is charged for %s', (_words, error) => {
  expect(failureOf(error)).not.toHaveProperty('mayBeCharged')
})
