import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { shownPart } from '@/lib/domains/vault/secrets'
import { ValidationError } from '@/lib/kernel/errors'
import { requireFittingKey } from './checks'
import { ConnectionKey } from './schemas'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const file = {
  type: 'service_account',
  project_id: 'acme',
  private_key_id: '0a1b2c3d4e5f',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  client_email: 'toolgate@acme.iam.gserviceaccount.com',
  token_uri: 'https://evil.example/token',
}
const pasted = JSON.stringify(file, null, 2)
const problem = (text: string) => ConnectionKey.safeParse(text).error?.issues[0]?.message

it('is kept without what is not used, and shows the end of its id alone', () => {
  const kept = ConnectionKey.parse(` ${pasted}\n`)
  expect(Object.keys(JSON.parse(kept))).toEqual([
    'type',
    'private_key',
    'client_email',
    'private_key_id',
  ])
  expect(kept).not.toContain('evil')
  expect(ConnectionKey.parse(kept)).toBe(kept)
  // A field of one line drops line ends when a file is pasted.
  expect(ConnectionKey.parse(pasted.replaceAll('\n', ''))).toBe(kept)
  expect(shownPart(kept)).toBe('4e5f')
  const { private_key_id: _, ...others } = file
  expect(file.private_key).not.toContain(shownPart(ConnectionKey.parse(JSON.stringify(others))))
})

it.each([
  ['no JSON', '{"type": "service_account"'],
  ['another kind', JSON.stringify({ ...file, type: 'authorized_user' })],
  ['no private key', JSON.stringify({ ...file, private_key: '' })],
  ['something after the key', JSON.stringify({ ...file, private_key: `${file.private_key}x` })],
  ['no address of who asks', JSON.stringify({ ...file, client_email: 'a b' })],
  ['an id that is none', JSON.stringify({ ...file, private_key_id: 'a\nb' })],
])('is refused with %s', (_name, text) => {
  expect(problem(text)).toContain('not the JSON key file of a service account')
})

it('leaves keys of one line as they were', () => {
  expect(ConnectionKey.parse(' sk-0123456789 ')).toBe('sk-0123456789')
  expect(problem('sk 0123456789')).toBe('A key has no spaces or special characters.')
  expect(problem('x'.repeat(4_097))).toBe('A key has at most 4,096 characters.')
  expect(problem(' ')).toBe('Paste the key.')
})

const vertex = {
  wire: 'gemini',
  baseUrl: null,
  settings: { authentication: 'service-account', project: 'acme', location: 'global' },
} as const
const refusal = (connection: Parameters<typeof requireFittingKey>[0], key: string | null) => {
  try {
    requireFittingKey(connection, key)
    return null
  } catch (error) {
    return error instanceof ValidationError ? error.fields.apiKey : error
  }
}

it('fits where it signs, and is sent nowhere else', () => {
  const kept = ConnectionKey.parse(pasted)
  expect([refusal(vertex, kept), refusal(vertex, null)]).toEqual([null, null])
  for (const wire of ['gemini', 'anthropic', 'openai', 'azure-openai'] as const) {
    expect(refusal({ wire, baseUrl: null, settings: {} }, kept)).toContain(
      'neither sent nor stored',
    )
    expect(refusal({ wire, baseUrl: null, settings: {} }, 'sk-0123456789')).toBeNull()
  }
  expect(refusal(vertex, 'AIzaSy-0123456789')).toContain('Paste the whole JSON key file')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  for (const private_key of [
    ec.export({ type: 'pkcs8', format: 'pem' }).toString(),
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  ]) {
    expect(refusal(vertex, JSON.stringify({ ...file, private_key }))).toContain('cannot be read')
  }
})
