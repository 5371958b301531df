import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactArguments } from './redaction'

it('never shows the value of a secret flag, however it is given', () => {
  const flagName = fc.constantFrom(
    '--token',
    '--api-key',
    '--db-password',
    '-secret',
    '--authToken',
  )
  const value = fc.stringMatching(/^[^-\s=][^\s=]{5,40}$/)
  fc.assert(
    fc.property(flagName, value, (name, secret) => {
      const argv = [
        'node',
        name,
        secret,
        `${name}=${secret}`,
        `${name.replace(/^-+/, '').toUpperCase()}=${secret}`,
      ]
      expect(redactArguments(argv, {}).slice(2).join(' ')).not.toContain(secret)
    }),
  )
})

it('leaves an ordinary command line alone', () => {
  const argv = [
    '/usr/bin/node',
    '/srv/.next/standalone/server.js',
    '--port',
    '3000',
    '--enable-source-maps',
  ]
  expect(redactArguments(argv, { PORT: '3000' })).toEqual(argv)
})
