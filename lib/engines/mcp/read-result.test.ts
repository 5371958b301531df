import { expect, test } from 'vitest'
import { ToolError } from '@/lib/protocol/tool'
import { failureOf, readResult } from './read-result'
import { errorText, scrubber } from './scrubber'

const text = (...texts: string[]) => texts.map((each) => ({ type: 'text' as const, text: each }))

test.each([
  ['a text', text('hi'), { result: 'hi' }, 'hi'],
  ['a number', text('5'), { result: 5 }, 5],
  ['a list', text('[1, 2]'), { result: [1, 2] }, [1, 2]],
  [
    'a list, one text for each item',
    text('a', '{"b": 1}'),
    { result: ['a', { b: 1 }] },
    ['a', { b: 1 }],
  ],
  ['an empty list', [], { result: [] }, []],
  ['an object', text('{ "a": null }'), { a: null }, { a: null }],
])('%s beside the same text is given once', (_name, content, structuredContent, expected) => {
  expect(readResult({ content, structuredContent })).toEqual({ content: expected, leftOut: [] })
})

test.each([
  ['another text', text('hi'), { result: 'ho' }, { text: 'hi', data: { result: 'ho' } }],
  [
    'more members',
    text('5'),
    { result: 5, unit: 'm' },
    { text: '5', data: { result: 5, unit: 'm' } },
  ],
  ['no text', [], { result: null }, { result: null }],
])('a result with %s stays whole', (_name, content, structuredContent, expected) => {
  expect(readResult({ content, structuredContent })).toEqual({ content: expected, leftOut: [] })
})

test('parts of a result that are not passed on are named with their reason', () => {
  const resource = { uri: 'a:b', blob: 'AAAA' }
  const audio = { type: 'audio' as const, data: 'AAAA', mimeType: 'audio/wav' }
  const link = { type: 'resource_link' as const, name: 'b', uri: 'https://b.example' }
  const content = [...text(''), { type: 'resource' as const, resource }, audio, audio, link]
  expect(readResult({ content, hiddenSecrets: 2 }).leftOut).toEqual([
    { what: '1 file', why: 'only files of text are passed on' },
    { what: 'the content of 1 link', why: 'links are not followed' },
    { what: '2 pieces of audio', why: 'audio is not passed on' },
    { what: '2 secrets', why: expect.stringContaining('[secret]') },
  ])
})

test.each([
  ['its text', text('No such day'), undefined, 'No such day'],
  ['its structured content', [], { code: 7, why: null }, '{"code":7,"why":null}'],
  ['both', text('No'), { code: 7 }, 'No\n{"code":7}'],
  ['both once, where they are the same', text('No'), { result: 'No' }, 'No'],
])('why a tool failed is said by %s', (_name, content, structuredContent, expected) => {
  expect(failureOf({ content, structuredContent })).toBe(expected)
})

test('a tool that failed throws what others may have written', () => {
  const read = () => readResult({ content: text('No such day'), isError: true })
  expect(read).toThrow(expect.objectContaining({ code: 'tool-failed', isForeign: true }))
  expect(read).toThrow(ToolError)
})

test('an error of a server is cut, and has neither secrets nor characters that nobody sees', () => {
  const headers = { 'X-Key': 'hunter-two-hunter' }
  const scrub = scrubber({
    type: 'http',
    url: 'https://a.example',
    headers,
    privateAddressAllowed: false,
  })
  expect(errorText('No hunter-two-\u200bhunter, no\u202e key\u{e0041}', scrub)).toBe(
    'No [secret], no key',
  )
  expect(errorText('at postgres://ada:swordfish9@db/x', scrub)).not.toContain('swordfish9')
  const cut = errorText(`${'x'.repeat(1_990)}hunter-two-hunter`, scrub)
  expect([cut.length, cut.slice(-12)]).toEqual([1_998, 'xxxx[secret]'])
  expect(errorText('x'.repeat(5_000), scrub)).toHaveLength(2_000)
})
