import { expect, test } from 'vitest'
import { readChallenge } from './challenge'

const challengeOf = (value: string) => readChallenge(new Headers({ 'www-authenticate': value }))

test('a challenge names metadata, scopes and error', () => {
  const header =
    'Bearer error="insufficient_scope", scope="files:read files:write", resource_metadata="https://a.example/.well-known/x"'
  expect(challengeOf(header)).toEqual({
    resourceMetadataUrl: 'https://a.example/.well-known/x',
    scope: 'files:read files:write',
    error: 'insufficient_scope',
  })
})

const empty = { resourceMetadataUrl: null, scope: null, error: null }

test.each([
  ['Bearer', empty],
  ['bearer realm="a"', empty],
  ['Basic realm="a, Bearer scope=b", Bearer scope=c', { ...empty, scope: 'c' }],
  ['Bearer scope=a, Basic scope=b, Bearer scope=c', { ...empty, scope: 'a' }],
  ['Bearer xscope="a", scope="b"', { ...empty, scope: 'b' }],
  ['Bearer error="a\\"b"', { ...empty, error: 'a"b' }],
  ['Bearer scope="a a  b\\"c ä"', { ...empty, scope: 'a' }],
  ['Bearer resource_metadata="javascript:alert(1)"', empty],
  ['Bearer resource_metadata="not an address"', empty],
  ['Negotiate abc==, Bearer error=x', { ...empty, error: 'x' }],
  ['Basic realm="Bearer"', null],
  ['', null],
])('of %s the Bearer challenge is read', (header, challenge) => {
  expect(challengeOf(header)).toEqual(challenge)
})

test('a challenge of many characters is none', () => {
  expect(challengeOf(`Bearer scope="${'a '.repeat(10_000)}"`)).toBeNull()
  const short = challengeOf(
    `Bearer scope="${Array.from({ length: 900 }, (_, at) => at).join(' ')}"`,
  )
  expect(short?.scope?.split(' ')).toHaveLength(100)
})
