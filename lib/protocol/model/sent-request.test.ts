import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { addressPlace, curlOf, indentedJson, keyPlace } from './sent-request'

test('a shell reads back what was sent, and puts in only the key and the address', () => {
  const body = `{"text":"it's $API_KEY \`id\` $(id) \\\\ \\" !"}`
  const command = curlOf({
    url: `${addressPlace}/v1/chat?a=1&b=$HOME`,
    headers: { authorization: `Bearer ${keyPlace}`, 'x-own': "it's $HOME" },
    body,
  })
  const variables = "ADDRESS='https://example.org' API_KEY='k y' HOME=/gone"
  const script = `${variables}\ncurl() { printf '%s\\n' "$@"; }\n${command}`
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toEqual([
    'https://example.org/v1/chat?a=1&b=$HOME',
    '-H',
    'authorization: Bearer k y',
    '-H',
    "x-own: it's $HOME",
    '--data-raw',
    body,
    '',
  ])
})

test('JSON is laid out with its numbers and texts as they stand there', () => {
  const json = '{"a":[1.0,12345678901234567890,{}],"b":"{\\"x\\": [1, 2]}","c":{"d":null},"e":[]}'
  const laid = indentedJson(json)
  expect(laid.split('\n').slice(0, 4)).toEqual([
    '{',
    '  "a": [',
    '    1.0,',
    '    12345678901234567890,',
  ])
  expect(JSON.parse(laid)).toEqual(JSON.parse(json))
  expect(indentedJson(laid)).toBe(laid)
  expect(laid).toContain('"b": "{\\"x\\": [1, 2]}"')
})
