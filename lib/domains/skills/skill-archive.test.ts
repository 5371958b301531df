import { expect, test } from 'vitest'
import { type ZipEntry, zipArchive } from '@/tests/support/zip-archive'
import { ValidationError } from '../../kernel/errors'
import { isArchive, readArchive } from './skill-archive'

const skill = (name: string) => `---\nname: ${name}\n---\nHow to ${name}.\n`
const named = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content: skill('a'),
  ...more,
})
const pathsOf = async (entries: ZipEntry[]) =>
  (await readArchive(zipArchive(entries))).map(({ path }) => path)

test('finds every SKILL.md and leaves everything else packed', async () => {
  const archive = zipArchive([
    { name: 'one/', content: '' },
    { name: 'one/SKILL.md', content: skill('one') },
    { name: 'one/scripts/run.sh', content: 'rm -rf /', mode: 0o100755 },
    { name: 'deep/in/two/SKILL.md', content: skill('two') },
    { name: '__MACOSX/one/SKILL.md', content: 'x' },
  ])
  expect(isArchive(archive)).toBe(true)
  const files = await readArchive(archive)
  expect(files.map(({ path, bytes }) => [path, bytes.toString()])).toEqual([
    ['one/SKILL.md', skill('one')],
    ['deep/in/two/SKILL.md', skill('two')],
  ])
})

test('knows an archive by its bytes', () => {
  expect(isArchive(Buffer.from(skill('a')))).toBe(false)
  expect(isArchive(Buffer.from('PK'))).toBe(false)
  expect(isArchive(zipArchive([]))).toBe(true)
})

test.each<[string, ZipEntry[], string]>([
  ['nothing of use', [named('README.md')], 'no file named SKILL.md'],
  ['a name that climbs out', [named('../SKILL.md')], 'invalid relative path'],
  ['a name that climbs later', [named('a/../../SKILL.md')], 'invalid relative path'],
  ['an absolute name', [named('/etc/SKILL.md')], 'absolute path'],
  ['a drive', [named('C:/SKILL.md')], 'absolute path'],
  ['backslashes', [named('..\\SKILL.md')], 'invalid characters'],
  ['a control character', [named('a\n/SKILL.md')], 'leads out of the archive'],
  ['a dot', [named('./SKILL.md')], 'leads out of the archive'],
  ['a symbolic link', [named('SKILL.md', { mode: 0o120777 })], 'a link or device'],
  ['a link beside it', [named('SKILL.md'), named('x', { mode: 0o120777 })], 'a link or device'],
  ['a device', [named('SKILL.md', { mode: 0o060644 })], 'a link or device'],
  ['encryption', [named('SKILL.md', { encrypted: true })], 'is encrypted'],
  ['an archive inside', [named('SKILL.md'), named('more.ZIP')], 'another archive inside'],
  ['a name twice', [named('SKILL.md'), named('SKILL.md')], 'twice'],
  ['a name twice in other case', [named('a/SKILL.md'), named('A/SKILL.md')], 'twice'],
  ['too many entries', Array.from({ length: 101 }, (_, i) => named(`${i}/x`)), '100 entries'],
  ['a bomb', [named('SKILL.md', { content: '0'.repeat(900_000) })], 'suspicious compression ratio'],
  [
    'a bomb beside it',
    [named('SKILL.md'), named('x', { content: Buffer.alloc(1e6) })],
    'compression ratio',
  ],
  ['a large file', [named('x', { claimedBytes: 2 ** 21, content: '' })], 'larger than 1 MiB'],
  ['a size that is a lie', [named('SKILL.md', { claimedBytes: 10 })], 'cannot be read'],
])('refuses %s', async (_what, entries, words) => {
  await expect(pathsOf(entries)).rejects.toThrow(words)
  await expect(pathsOf(entries)).rejects.toThrow(ValidationError)
})

test('refuses more than 5 MiB in all', async () => {
  const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 251))
  const entries = Array.from({ length: 6 }, (_, i) => named(`${i}.bin`, { content: noise }))
  await expect(pathsOf([named('SKILL.md'), ...entries])).rejects.toThrow(ValidationError)
})

test('refuses what only begins like an archive', async () => {
  const whole = zipArchive([named('SKILL.md')])
  for (const bytes of [Buffer.from('PK\x03\x04'), whole.subarray(0, -5), whole.subarray(0, 40)]) {
    await expect(readArchive(bytes)).rejects.toThrow('cannot be read')
  }
})
