import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isSecretName, isVisible, isWritable, partsOf } from './workspace-path'

describe('a path', () => {
  it.each([
    ['', []],
    ['.', []],
    ['./', []],
    ['a.md', ['a.md']],
    ['./docs/a.md', ['docs', 'a.md']],
    ['docs/', ['docs']],
    ['a b/ü.md', ['a b', 'ü.md']],
    ['.github/workflows/ci.yml', ['.github', 'workflows', 'ci.yml']],
    ['a..b/c..', ['a..b', 'c..']],
  ])('%j leads to %j', (path, parts) => {
    expect(partsOf(path)).toEqual(parts)
  })

  it.each([
    '/',
    '/etc/passwd',
    '//a',
    '..',
    '../a',
    'a/..',
    'a/../b',
    'a/./b',
    'a//b',
    'a\0',
    'a\0/../b',
    'a\\b',
    '..\\a',
    'a\nb',
    'a\u0085b',
    '\ud800',
    '\ufffd',
    '.env',
    'docs/.ssh/config',
    'x/.git/config',
    `${'a/'.repeat(41)}b`,
    'a'.repeat(256),
    'ü'.repeat(128),
    'a'.repeat(1_001),
  ])('%j is refused in the same words as what is missing', (path) => {
    expect(() => partsOf(path)).toThrow('File or folder not found or not permitted.')
  })

  test('any path becomes names without leading dots, slashes or NUL, or is refused', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '.env', '\0', '/', 'a'), fc.string())
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('/', '\\', ''), (all, by) => {
        let parts: string[]
        try {
          parts = partsOf(all.join(by))
        } catch {
          return
        }
        for (const name of parts) {
          expect(name).not.toMatch(/[/\0]|^\.{0,2}$/)
          expect(isVisible(name)).toBe(true)
        }
      }),
    )
  })
})

const secret = [
  '.env',
  '.env.local',
  '.env_local',
  '.env_production',
  'authorized_keys',
  'authorized_keys2',
  '.git',
  '.ssh',
  '.npmrc',
  '.aws',
  '.toolgate-1-2-3-4.tmp',
  'server.pem',
  'server.key',
  'server.key.bak',
  'server.key~',
  'store.p12',
  'store.pfx',
  'people.kdbx',
  'id_rsa',
  'id_ed25519.pub',
  'credentials',
  'credentials.json',
  'secrets.yml',
  'secret.json',
  'secrets',
  'prod.tfstate',
  'prod.tfstate.backup',
  'prod.tfvars',
  'htpasswd',
  'creden~1.jso',
]

test.each([
  '.env',
  '.env_local',
  '.env_production',
  '.env-old',
  'authorized_keys',
  'id_rsa',
  '.ssh',
])('%s is a secret to programs, too', (name) => expect(isSecretName(name)).toBe(true))

test.each(secret)(
  '%s is hidden, in any letter case, at any depth, and however it is disguised',
  (name) => {
    const disguises = [
      name,
      name.toUpperCase(),
      name.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      name.replace(/s/g, 'ſ'),
      name.replace(/k/g, '\u212a'),
      name.replace(/[a-z]/, (letter) => `${letter}\u200b`),
      `\u200b${name}`,
      name.replace('.', '\uff0e'),
      `${name} `,
    ]
    for (const disguise of disguises) {
      expect([disguise, isVisible(disguise)]).toEqual([disguise, false])
      expect(() => partsOf(`a/b/${disguise}`)).toThrow('not permitted')
      expect(() => partsOf(`${disguise}/a`)).toThrow('not permitted')
    }
  },
)

test.each([
  'key.md',
  'monkey',
  'keys.ts',
  'identity.md',
  'secretary.md',
  'pem.txt',
  'env',
  'x.keynote',
])('%s is no secret', (name) => {
  expect(isVisible(name)).toBe(true)
  expect(isWritable(name)).toBe(true)
})

test.each(['.gitignore', '.github', '.editorconfig', '.GITIGNORE'])(
  '%s can be read, but programs obey it, so it is not written',
  (name) => {
    expect(isVisible(name)).toBe(true)
    expect(isWritable(name)).toBe(false)
  },
)
