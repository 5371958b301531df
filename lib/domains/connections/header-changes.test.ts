import { expect, it } from 'vitest'
import { changedHeaders, HeaderChanges, tooManyHeaders } from './header-changes'

it.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'connection',
  'Proxy-Authorization',
  'Cookie',
  'sec-fetch-mode',
])('refuses %s, which belongs to the request itself', (name) => {
  expect(HeaderChanges.safeParse({ [name]: 'x' }).success).toBe(false)
})

it.each([
  ['a space in a name', { 'x team': 'a' }],
  ['an empty name', { '': 'a' }],
  ['a line break in a value', { 'x-team': 'a\r\nhost: b' }],
  ['an empty value', { 'x-team': ' ' }],
  ['what is not ASCII', { 'x-team': 'grün' }],
])('refuses %s', (_what, headers) => {
  expect(HeaderChanges.safeParse(headers).success).toBe(false)
})

it('sets, replaces and takes away, whatever the case of the name', () => {
  const changes = HeaderChanges.parse({ 'X-Team': ' blue ', 'X-Old': null, 'api-key': 'k' })
  expect(changedHeaders({ 'x-team': 'red', 'x-old': 'o', 'x-kept': 'y' }, changes)).toEqual({
    'api-key': 'k',
    'x-kept': 'y',
    'x-team': 'blue',
  })
})

it('refuses too many', () => {
  const named = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'v']))
  expect([tooManyHeaders(named(20)), tooManyHeaders(named(21))]).toEqual([false, true])
})
