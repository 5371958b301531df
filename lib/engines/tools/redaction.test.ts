import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactArguments, redactEnvironment } from './redaction'

const modes = ['careful', 'raw'] as const

function shown(
  environment: Record<string, string>,
  mode: 'careful' | 'raw',
  name: string,
): string | undefined {
  return redactEnvironment(environment, mode).find((line) => line.name === name)?.value
}

const secretValue = fc
  .string({ unit: 'grapheme', minLength: 6, maxLength: 60 })
  .filter((text) => text.trim().length >= 6)
const prefix = fc.stringMatching(/^([A-Z]{1,8}_)?$/)
const secretWord = fc.constantFrom(
  'KEY',
  'API_KEY',
  'TOKEN',
  'SECRET',
  'PASS',
  'PASSWORD',
  'PWD_VALUE',
  'CREDENTIALS',
  'AUTH',
  'COOKIE',
  'PRIVATE',
  'DSN',
  'DATABASE_URL',
  'WEBHOOK_URL',
  'SESSION',
)
const plainName = fc.constantFrom(
  'SETTING',
  'FEATURES',
  'BUILD',
  'NODE_OPTIONS',
  'LANG',
  'START_ARGS',
  'npm_note',
)

describe.each(modes)('redactEnvironment, %s', (mode) => {
  it('never shows a value planted under a secret-sounding name, nor a copy of it', () => {
    fc.assert(
      fc.property(prefix, secretWord, plainName, secretValue, (before, word, other, secret) => {
        const environment = {
          [`${before}${word}`]: secret,
          [other]: `run with ${secret} now`,
          [`Z${other}`]: secret,
        }
        for (const { value } of redactEnvironment(environment, mode))
          expect(value).not.toContain(secret)
      }),
    )
  })

  it('never shows a secret planted in a shape it gives away', () => {
    const tail = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/)
    const shape = fc.constantFrom(
      (text: string) => [`sk-${text}`, text],
      (text: string) => [`sk-ant-api03-${text}`, text],
      (text: string) => [`AKIA${text.toUpperCase()}`, text.toUpperCase()],
      (text: string) => [`ghp_${text}`, text],
      (text: string) => [`eyJhbGciOiJub25lIn0.${text}.${text}`, text],
      (text: string) => [`postgres://app:${text}@db/x`, text],
      (text: string) => [`https://${text}@host/x`, text],
      (text: string) => [`-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`, text],
      (text: string) => [`Authorization: Bearer ${text}`, text],
      (text: string) => [`--password ${text}`, text],
      (text: string) => [`a=1&access_token=${text}`, text],
      (text: string) => [`{"client_secret": "${text}"}`, text],
    )
    fc.assert(
      fc.property(
        plainName,
        tail,
        shape,
        fc.constantFrom('', 'prefix '),
        (name, text, plant, before) => {
          const [value = '', secret = ''] = plant(text)
          expect(shown({ [name]: `${before}${value}` }, mode, name)).not.toContain(secret)
        },
      ),
    )
  })

  it('never shows a password that another variable has in an address', () => {
    const environment = {
      QUEUE: 'amqp://app:p%40ss-word@mq/vhost',
      ARGS: 'connect p@ss-word and p%40ss-word',
    }
    expect(shown(environment, mode, 'ARGS')).not.toMatch(/p(@|%40)ss-word/)
  })

  it('hides the names that hold the keys of this installation', () => {
    const names = [
      'DATABASE_URL',
      'TOOLGATE_VAULT_KEY',
      'NEXTAUTH_SECRET',
      'ADMIN_PASSWORD',
      'OPENAI_API_KEY',
      'ANTHROPIC_API_KEY',
    ]
    const environment = Object.fromEntries(names.map((name, index) => [name, `v${index}`]))
    expect(redactEnvironment(environment, mode).map((line) => line.value)).toEqual(
      names.map(() => '[redacted: its name says that it is a secret]'),
    )
  })

  it('keeps harmless settings readable, and says when a variable is set but empty', () => {
    const environment = {
      NODE_ENV: 'production',
      LANG: 'de_CH.UTF-8',
      TZ: 'Europe/Zurich',
      PORT: '3000',
      LOG_LEVEL: 'debug',
      NEXT_TELEMETRY_DISABLED: '1',
      TOOLGATE_URL: 'http://localhost:3000',
      NEXTAUTH_URL: 'http://localhost:3000',
      DATABASE_POOL_SIZE: '20',
      AUTH_TRUST_HOST: 'true',
      OPENAI_API_KEY: '',
    }
    const lines = redactEnvironment(environment, mode)
    const visible = lines.filter((line) => !line.value.startsWith('[redacted'))
    const copies = ['NEXTAUTH_URL', 'TOOLGATE_URL']
    expect(visible.map((line) => line.name)).toEqual(Object.keys(environment).sort())
    expect(copies.map((name) => shown(environment, mode, name))).toEqual(
      Array(2).fill('http://localhost:3000'),
    )
    expect(shown(environment, mode, 'OPENAI_API_KEY')).toBe('')
  })

  it('does not trust a harmless name with a value that does not fit it', () => {
    for (const name of [
      'PWD',
      'AUTH_TRUST_HOST',
      'SSH_AUTH_SOCK',
      'NEXTAUTH_URL',
      'XDG_SESSION_TYPE',
    ]) {
      expect(shown({ [name]: 'correct horse battery' }, mode, name)).toBe(
        '[redacted: its name says that it is a secret]',
      )
    }
  })

  it('hides a key that was put into a name', () => {
    const lines = redactEnvironment(
      { 'sk-abcdefgh12345678': 'x', API_KEY: 'hunter2hunter2', hunter2hunter2: '1' },
      mode,
    )
    expect(JSON.stringify(lines)).not.toMatch(/abcdefgh|hunter2/)
  })

  it('stays small', () => {
    const environment = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [`V${index}`, 'x y '.repeat(800)]),
    )
    const lines = redactEnvironment(environment, mode)
    expect(lines.length).toBe(1_000)
    expect(Math.max(...lines.map((line) => line.value.length))).toBeLessThan(2_100)
  })
})

describe('careful mode alone', () => {
  it.each([
    ['HOME', '/root', 'a path'],
    ['NODE_OPTIONS', '--require ./hook.js', 'a path'],
    ['TEMP', 'C:\\Users\\ada', 'a path'],
    ['HOSTNAME', 'prod-3', 'names a person or a machine'],
    ['USER', 'ada', 'names a person or a machine'],
    ['OPERATOR', 'ada@example.com', 'names a person or a machine'],
    ['OLLAMA_HOST', 'http://gpu-7.internal:11434', 'an address'],
    ['BIND', '10.1.2.3', 'an address'],
    ['COMMIT', '9f8c2b7a1d3e4f5a', 'looks like a secret'],
    ['NOTE', 'a\u001b[31m', 'not plain text'],
    ['LONG', 'word '.repeat(60), '300 characters long'],
  ])('hides %s=%s because it is %s', (name, value, reason) => {
    expect(shown({ [name]: value }, 'careful', name)).toBe(`[redacted: ${reason}]`)
    expect(shown({ [name]: value }, 'raw', name)).not.toContain('[redacted')
  })
})

it.each(['CONTAINER_NAME', 'POD_NAME', 'K8S_NODE_NAME', 'MY_CLUSTER', 'NAMESPACE', 'INSTANCE_ID'])(
  'hides the name of a machine in %s',
  (name) => {
    expect(shown({ [name]: 'orders' }, 'careful', name)).toMatch(/^\[redacted/)
    expect(shown({ NODE_ENV: 'production' }, 'careful', 'NODE_ENV')).toBe('production')
  },
)

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
