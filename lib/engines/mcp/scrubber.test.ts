import { expect, test } from 'vitest'
import { scrubber } from './scrubber'

const secret = 'Zx9-q?Key/42+ünique~value'
const scrub = scrubber({
  type: 'stdio',
  command: ['none'],
  environment: { API_KEY: secret },
  hiddenFolders: [],
})

/** Returns the percent code of each byte. */
const everyByte = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')

test.each<[string, (text: string) => string]>([
  ['as it is', (text) => text],
  ['in JSON', (text) => JSON.stringify(text)],
  ['in an address', encodeURIComponent],
  [
    'in an address with small letters',
    (text) =>
      encodeURIComponent(text).toLowerCase().replace(/zx9-q/, 'Zx9-q').replace('key', 'Key'),
  ],
  ['with each byte escaped', everyByte],
  ['with each byte escaped in capitals', (text) => everyByte(text).toUpperCase()],
  ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ...['', 'a', 'ab', 'abc'].flatMap((before): [string, (text: string) => string][] => [
    [`in base64 after "${before}"`, (text) => Buffer.from(`${before}${text}`).toString('base64')],
    [
      `in base64 for addresses between "${before}" and more`,
      (text) => Buffer.from(`${before}${text}, more`).toString('base64url'),
    ],
  ]),
])('a secret that a server echoes %s is taken out', (_how, echo) => {
  const said = scrub(`The header was ${echo(secret)} I think`)
  expect(said).toContain('[secret]')
  expect(said).not.toContain('Key')
  for (const [piece] of said.matchAll(/[A-Za-z0-9+/_-]{8,}/g))
    expect(Buffer.from(piece, 'base64').toString('latin1')).not.toContain('Key')
})
