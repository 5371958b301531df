import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ValidationError } from '@/lib/kernel/errors'
import { type ZipEntry, zipArchive } from '@/tests/support/zip-archive'
import { droppedWords } from './shape'
import { isArchive, readArchive, readSkillUpload } from './skill-archive'

const skill = (name: string) => `---\nname: ${name}\n---\nHow to ${name}.\n`
const named = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({
  name,
  content: skill('a'),
  ...more,
})
const pathsOf = async (entries: ZipEntry[]) =>
  (await readArchive(zipArchive(entries))).files.map(({ path }) => path)

test('finds every SKILL.md and leaves everything else packed', async () => {
  const archive = zipArchive([
    { name: 'one/', content: '' },
    { name: 'one/SKILL.md', content: skill('one') },
    { name: 'one/scripts/run.sh', content: 'rm -rf /', mode: 0o100755 },
    { name: 'deep/in/two/SKILL.md', content: skill('two') },
    { name: '__MACOSX/one/SKILL.md', content: 'x' },
  ])
  expect(isArchive(archive)).toBe(true)
  const { files, others } = await readArchive(archive)
  expect(others).toEqual(['one/scripts/run.sh'])
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
  ['backslashes that climb out', [named('..\\SKILL.md')], 'invalid relative path'],
  ['a backslash before a drive', [named('.\\C:\\SKILL.md')], 'leads out of the archive'],
  ['encryption', [named('SKILL.md', { encrypted: true })], 'is encrypted'],
  ['nothing but a link', [named('SKILL.md', { mode: 0o120777 })], 'no file named SKILL.md'],
  ['nothing but a device', [named('SKILL.md', { mode: 0o060644 })], 'no file named SKILL.md'],
  ['a name beside it that climbs out', [named('SKILL.md'), named('../x')], 'invalid relative path'],
  ['an absolute name beside it', [named('SKILL.md'), named('/etc/passwd')], 'absolute path'],
  ['a name twice', [named('SKILL.md'), named('SKILL.md')], 'twice'],
  ['a name twice in other case', [named('a/SKILL.md'), named('A/SKILL.md')], 'twice'],
  [
    'too many skills',
    Array.from({ length: 101 }, (_, i) => named(`${i}/SKILL.md`)),
    'more than 100 files',
  ],
  [
    'too many entries',
    Array.from({ length: 20_001 }, (_, i) => named(`${i}`, { content: '' })),
    '20,000 entries',
  ],
  ['a bomb', [named('SKILL.md', { content: '0'.repeat(900_000) })], 'suspicious compression ratio'],
  ['a large skill', [named('SKILL.md', { claimedBytes: 2 ** 21, content: '' })], 'over 1 MiB'],
  ['a size that is a lie', [named('SKILL.md', { claimedBytes: 10 })], 'cannot be read'],
])('refuses %s', async (_what, entries, words) => {
  await expect(pathsOf(entries)).rejects.toThrow(words)
  await expect(pathsOf(entries)).rejects.toThrow(ValidationError)
})

test.each([
  ['backslashes', 'one\\SKILL.md', 'one/SKILL.md'],
  ['a dot in front', './one/SKILL.md', 'one/SKILL.md'],
  ['a dot and two slashes inside', 'one/.//two/SKILL.md', 'one/two/SKILL.md'],
  ['a control character', 'on\x07e/SKILL.md', 'one/SKILL.md'],
  ['260 letters', `${'x'.repeat(260)}/SKILL.md`, `${'x'.repeat(260)}/SKILL.md`],
])('takes a skill whose path has %s, and what is beside it', async (_what, name, path) => {
  const folder = { name: './', content: '' }
  const taken = await pathsOf([folder, named(name), named('good/SKILL.md')])
  expect(taken).toEqual([path, 'good/SKILL.md'])
  const beside = name.replace('SKILL.md', 'notes.txt')
  const { files, others } = await readArchive(zipArchive([named('SKILL.md'), named(beside)]))
  expect(files).toHaveLength(1)
  expect(others).toEqual([path.replace('SKILL.md', 'notes.txt')])
})

test('warns of hidden characters in a skill, and says where they are', async () => {
  const tagged = 'do it \u{e0072}\u{e006d}'
  const content = `---\nname: a\ndescription: ${tagged}\n---\nFirst.\n${tagged}\n`
  const { files, dropped } = await readSkillUpload(zipArchive([named('SKILL.md', { content })]))
  expect(files).toHaveLength(1)
  expect(dropped.warnings).toEqual([
    'a: Has hidden characters, which models read: description, line 1, column 7 (2 invisible letters: “rm”); body, line 2, column 7 (2 invisible letters: “rm”).',
  ])
  expect((await readSkillUpload(Buffer.from(content))).dropped.warnings).toHaveLength(1)
})

test('two spellings of one path are one path', async () => {
  await expect(pathsOf([named('./a/SKILL.md'), named('a\\SKILL.md')])).rejects.toThrow('twice')
})

test('refuses skills of more than 5 MiB in all', async () => {
  const noise = randomBytes(1_000_000)
  const entries = Array.from({ length: 6 }, (_, i) => named(`${i}/SKILL.md`, { content: noise }))
  await expect(pathsOf(entries)).rejects.toThrow('more than 5 MiB')
})

test('takes the skills of a repository, whatever is beside them, and names what it does not take', async () => {
  const body = 'Run `scripts/run.py`, see [the guide](./guide.md). Then scripts/other.py.\n'
  const text = (name: string) => `---\nname: ${name}\n---\n${body}`
  const many = Array.from({ length: 300 }, (_, i) => named(`repo/docs/${i}.png`, { content: 'x' }))
  const archive = zipArchive([
    { name: 'repo/', content: '' },
    { name: 'repo/skills/one/SKILL.md', content: text('one') },
    { name: 'repo/skills/two/SKILL.md', content: skill('two') },
    named('repo/skills/one/scripts/run.py'),
    named('repo/skills/one/guide.md'),
    named('repo/skills/two/scripts/run.py'),
    named('repo/bundle.zip'),
    named('repo/CLAUDE.md', { content: 'AGENTS.md', mode: 0o120777 }),
    named('repo/link/SKILL.md', { content: '../../etc/passwd', mode: 0o120777 }),
    named('repo/zeros.bin', { content: Buffer.alloc(8 * 1024 * 1024) }),
    named('repo/secret', { encrypted: true }),
    named('repo/README.md'),
    named('repo/readme.md'),
    ...many,
  ])
  const { files, dropped } = await readSkillUpload(archive)
  expect(files.map(({ name }) => name)).toEqual(['one', 'two'])
  expect(dropped.total).toBe(310)
  expect(dropped.paths).toHaveLength(50)
  expect(dropped.paths).toContain('repo/link/SKILL.md')
  expect(droppedWords(dropped)).toEqual([
    '310 other files were not taken: repo/skills/one/scripts/run.py, repo/skills/one/guide.md, repo/skills/two/scripts/run.py, repo/bundle.zip, repo/CLAUDE.md, and 305 more.',
    'one mentions repo/skills/one/scripts/run.py, which models cannot read here.',
    'one mentions repo/skills/one/guide.md, which models cannot read here.',
  ])
})

test('takes the good skills of an archive, and names each other SKILL.md with its reason', async () => {
  const bad = [
    named('bad/SKILL.md', { content: 'no front matter' }),
    named('one/SKILL.md', { content: skill('twice') }),
    named('two/SKILL.md', { content: skill('twice') }),
  ]
  const good = named('good/SKILL.md', { content: skill('good') })
  const { files, dropped } = await readSkillUpload(zipArchive([...bad, good, named('a.txt')]))
  expect(files.map(({ name }) => name)).toEqual(['good'])
  expect(droppedWords(dropped)).toEqual([
    expect.stringMatching(/^bad\/SKILL\.md was not taken: It does not start with front matter: /),
    'one/SKILL.md was not taken: Another file is named twice, too.',
    'two/SKILL.md was not taken: Another file is named twice, too.',
    '1 other file was not taken: a.txt.',
  ])
  await expect(readSkillUpload(zipArchive(bad))).rejects.toThrow(
    /^No skill of the archive can be taken\. bad\/SKILL\.md: It does not .*\. one\/SKILL\.md: Another file is named twice, too\. two/,
  )
})

test('refuses what only begins like an archive', async () => {
  const whole = zipArchive([named('SKILL.md')])
  for (const bytes of [Buffer.from('PK\x03\x04'), whole.subarray(0, -5), whole.subarray(0, 40)]) {
    await expect(readArchive(bytes)).rejects.toThrow('cannot be read')
  }
})

test('a key that is meant as allowed-tools is named where a skill is added', async () => {
  const bytes = Buffer.from('---\nname: a\nAllowed_Tools: [fetch_logs]\n---\nBody')
  const { files, dropped } = await readSkillUpload(bytes)
  expect(files).toMatchObject([{ allowedTools: ['fetch_logs'] }])
  expect(droppedWords(dropped)).toEqual([
    'a: “Allowed_Tools” is read as allowed-tools, and limits tools. Write it as allowed-tools.',
  ])
})
