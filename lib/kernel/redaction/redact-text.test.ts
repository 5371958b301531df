import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawer, secretForms, secretKinds, shownPart } from '@/tests/support/secret-kinds'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { redactLines, redactText } from './redact-text'

const jwt =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

describe('redactText', () => {
  it.each([
    [
      'sk-proj-abcDEF123456',
      'the key sk-proj-abcDEF123456 was refused',
      'the key [redacted] was refused',
    ],
    ['sk-ant-', 'x-api-key: sk-ant-api03-AAAA_BBBB-cccc', 'x-api-key: [redacted]'],
    ['aws', 'id=AKIAIOSFODNN7EXAMPLE;', 'id=[redacted];'],
    ['google', 'AIzaSyA-1234567890abcdefghijklmnopqrstu', '[redacted]'],
    ['github', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', '[redacted]'],
    ['slack', 'xoxb-123456789-abcdef', '[redacted]'],
    ['jwt', `cookie was ${jwt} here`, 'cookie was [redacted] here'],
    [
      'url',
      'connect postgres://app:s3cret@db:5432/x failed',
      'connect postgres://[redacted]@db:5432/x failed',
    ],
    ['url with odd password', 'amqp://u:p/w?d#1@mq/vhost', 'amqp://[redacted]@mq/vhost'],
    [
      'url with a token as user',
      'https://ghtoken@github.com/a/b',
      'https://[redacted]@github.com/a/b',
    ],
    ['bearer', 'Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['bearer alone', 'sent Bearer abcdef123456 twice', 'sent Bearer [redacted] twice'],
    ['basic', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['query', 'GET /x?page=2&access_token=abcd1234&y=1', 'GET /x?page=2&access_token=[redacted]'],
    ['assignment with odd password', 'pwd=a,b;c&d)e]f next', 'pwd=[redacted] next'],
    ['cookies', 'Cookie: a=b; sid=c\nHost: x', 'Cookie: [redacted]\nHost: x'],
    ['json', '{"user":"a","password":"hunter2 with spaces"}', '{"user":"a","password":[redacted]}'],
    ['json in json', '{\\"apiKey\\":\\"abc\\"}', '{\\"apiKey\\":[redacted]}'],
    ['assignment', 'DB_PASSWORD=hunter2 node x', 'DB_PASSWORD=[redacted] node x'],
    ['flag', 'psql --password hunter2 -h db', 'psql --password [redacted] -h db'],
    ['hex', `token digest ${'0f'.repeat(16)}`, 'token digest [redacted]'],
    ['base64', 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', '[redacted]'],
  ])('hides %s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  it('hides a private key with its body, also one that is cut off', () => {
    const body = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----'
    expect(redactText(`before ${body} after`)).toBe('before [redacted] after')
    expect(redactText('before -----BEGIN PRIVATE KEY-----\nMIIEow')).toBe('before [redacted]')
  })

  it.each([
    'Run 0198a3b4-1111-7abc-8def-0123456789ab ended: completed, 3 rounds',
    'inputTokens: 1234, outputTokens=56',
    'GET http://localhost:3000/api/v1/runs?page=2 200 in 12 ms',
    'at Object.<anonymous> (/work/main/node_modules/next/dist/server/base-server.js:12:34)',
    'task-1 risk-taking-behaviour disk-usage-report',
    'The tool fetch_logs was switched off by admin@example.com',
    '',
  ])('leaves ordinary text as it is: %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  it.each([
    'const token: string = await nextToken(signal)',
    '  apiKey: settings.apiKey,',
    'commit 2f1e0a1aec0ff0a07b0349cf582e0501d800c6c9 (HEAD -> main)',
    `${'0123456789abcdef'.repeat(4)}\n${'fedcba9876543210'.repeat(4)}`,
    'https://example.com/a/blob/2f1e0a1aec0ff0a07b0349cf582e0501d800c6c9/integrations/x.java',
    'expect(convertBase64ToUtf8TextWithFallback(value)).toBe(1)',
    `"integrity": "sha512-${'aB3/'.repeat(21)}aB==",\n"license": "Apache-2.0",`,
    `const address = \`postgresql://\${user}:\${password}@db/\${name}\``,
    '| `api-keys:write` | limit other API keys to tools |',
    'class="sk-loading-spinner" and pk_of_the_table',
    'Set the password: at least eight characters.',
    'export OPENAI_API_KEY=$OPENAI_API_KEY',
  ])('leaves code and hashes as they are in the text of files: %s', (text) => {
    expect(redactText(text, { hashes: true })).toBe(text)
  })

  it.each([
    ['password: correcthorse', 'password: [redacted]'],
    ['DB_PASSWORD=correct(horse)', 'DB_PASSWORD=[redacted]'],
    ["const password = 'hunter2'", 'const password = [redacted]'],
  ])('hides what a file says in words: %s', (text, expected) => {
    expect(redactText(text, { hashes: true })).toBe(expected)
  })

  it('keeps the lines of a text apart', () => {
    const lines = ['a', '-----BEGIN PRIVATE KEY-----', 'MIIEow', '', '-----END PRIVATE KEY----- b']
    expect(redactLines(lines)).toEqual(['a', '[redacted]', '[redacted]', '', '[redacted] b'])
  })

  it('never lets a password through that stands in an address', () => {
    const part = fc.stringMatching(/^[A-Za-z0-9!$%&*()/?#:._~-]{6,40}$/)
    fc.assert(
      fc.property(
        part,
        fc.constantFrom('db', 'localhost', '10.0.0.5', 'a.b-c.example'),
        (password, host) => {
          const text = redactText(`pool: postgresql://toolgate:${password}@${host}:5432/db refused`)
          expect(text).toBe(`pool: postgresql://[redacted]@${host}:5432/db refused`)
        },
      ),
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const once = redactText(text)
        expect(redactText(once)).toBe(once)
      }),
    )
  })

  it.each([
    '://',
    'eyJ',
    '--token',
    'password',
    '-----BEGIN A-----',
    'a',
    '=',
    'sk-',
    'a:',
    '- -',
    'Bearer ',
    '-eyJ',
    '-SG.',
    '://a:',
    '-----BEGIN A-----\n',
    'token: "',
    'x\\\n',
    '\\n',
    '%41',
    '\n    ',
    ' ',
    'A/',
    'WVdG',
    'token=',
    'token=x ',
    'cookie:',
    `key='a `,
    `${'aB3/'.repeat(16)}\n`,
    `--token "`,
  ])('takes time in proportion to the text when it repeats "%s"', (piece) => {
    const repeated = (length: number) => piece.repeat(length / piece.length)
    const both = (text: string) => [redactText(text), redactText(text, { hashes: true })]
    expect(timeGrowth(64_000, repeated, both)).toBeLessThan(mostGrowth)
  })
})

const kinds = Object.entries(secretKinds)
const forms = Object.entries(secretForms)
const modes = [{ hashes: false }, { hashes: true }]

describe.each(kinds)('%s', (_, make) => {
  it.each(forms)('never comes out %s', (_, write) => {
    for (const seed of [1, 22, 333, 4_444, 55_555]) {
      const example = make(drawer(seed * 7_919))
      const { text, also } = write(example)
      for (const mode of modes) {
        const shown = redactText(text, mode)
        for (const secret of [example.secret, ...also])
          expect(shownPart(shown, secret), `${text}\n\n${shown}`).toBeNull()
        expect(redactLines(text.split('\n'), mode)).toHaveLength(text.split('\n').length)
      }
    }
  })
})

it('hides secrets of any kind and form inside any text', () => {
  const prose = fc
    .array(fc.string({ maxLength: 30 }), { maxLength: 4 })
    .map((parts) => parts.join('\n'))
  const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 })
  const kind = fc.constantFrom(...kinds)
  const form = fc.constantFrom(...forms)
  fc.assert(
    fc.property(prose, prose, seeds, kind, form, fc.boolean(), (head, tail, seed, k, f, hashes) => {
      const example = k[1](drawer(seed))
      const { text, also } = f[1](example)
      const shown = redactText(`${head}\n${text}\n${tail}`, { hashes })
      for (const secret of [example.secret, ...also]) {
        // A part that the text around it has by chance is none of the secret.
        const part = shownPart(shown, secret)
        expect(part === null || shownPart(`${head}\n${tail}`, part) !== null).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
