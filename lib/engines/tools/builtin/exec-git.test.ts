import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxTrouble } from '@/lib/engines/programs/command-sandbox'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { knownProgramResources } from '@/tests/support/known-program-resources'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import type { UsableProgram } from '../tool-resources'
import exec from './exec'

const mark = 'STARTED-BY-A-REPOSITORY'
/** A command for a setting of a repository: it shows that it ran, and passes on what it reads. */
const marks = `echo ${mark} >&2; cat`
const owner = 4242
const settings = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'safe.directory=*',
]

let folder: string
let root: string

function git(place: string, ...args: string[]): string {
  return execFileSync('git', [...settings, ...args], { cwd: place, encoding: 'utf8' })
}

/** Makes a repository with two commits and a change, whose attributes name the driver "x". */
function makeRepository(place: string, ...options: string[]): void {
  mkdirSync(place)
  git(place, 'init', '-q', ...options)
  writeFileSync(path.join(place, '.gitattributes'), '*.txt diff=x filter=x\n')
  for (const text of ['first', 'other']) {
    writeFileSync(path.join(place, 'a.txt'), `${text}\n`)
    git(place, 'add', '.')
    git(place, 'commit', '-qm', `Write ${text}`)
  }
  writeFileSync(path.join(place, 'a.txt'), 'third\n')
}

const configOf = (place: string, name = '.git') => path.join(place, name, 'config')
function setConfig(place: string, entries: Record<string, string>, file = configOf(place)): void {
  for (const [key, value] of Object.entries(entries))
    git(place, 'config', '--file', file, key, value)
}
const isExecutable = 0o755
/** Settings that start a command at `git status` where a file changed. */
const atStatus = { 'core.fsmonitor': `echo ${mark} >&2; false`, 'filter.x.clean': marks }

/** Repositories that name a program: how one is made of an ordinary repository, the command that starts it, and where it begins. */
const traps: [string, (place: string) => void, string[], string?][] = [
  [
    'a textconv, at log',
    (at) => setConfig(at, { 'diff.x.textconv': `sh -c '${marks} "$1"' x` }),
    ['log', '-p'],
  ],
  [
    'a textconv, at show',
    (at) => setConfig(at, { 'diff.x.textconv': `sh -c '${marks} "$1"' x` }),
    ['show'],
  ],
  [
    'a textconv, at diff',
    (at) => setConfig(at, { 'diff.x.textconv': `sh -c '${marks} "$1"' x` }),
    ['diff'],
  ],
  [
    'a textconv, at blame',
    (at) => setConfig(at, { 'diff.x.textconv': `sh -c '${marks} "$1"' x` }),
    ['blame', 'a.txt'],
  ],
  ['a clean filter, at diff', (at) => setConfig(at, { 'filter.x.clean': marks }), ['diff']],
  ['a clean filter, at status', (at) => setConfig(at, { 'filter.x.clean': marks }), ['status']],
  [
    'a clean filter, at describe',
    (at) => setConfig(at, { 'filter.x.clean': marks }),
    ['describe', '--all', '--dirty'],
  ],
  [
    'a smudge filter',
    (at) => setConfig(at, { 'filter.x.smudge': marks, 'diff.x.command': 'true' }),
    ['diff', 'HEAD~1', 'HEAD'],
  ],
  [
    'a filter that stays',
    (at) => setConfig(at, { 'filter.x.process': `sh -c '${marks}'` }),
    ['status'],
  ],
  [
    'an external diff',
    (at) => setConfig(at, { 'diff.external': `sh -c '${marks} "$2"' x` }),
    ['diff'],
  ],
  [
    'an external diff of a driver',
    (at) => setConfig(at, { 'diff.x.command': `sh -c '${marks} "$2"' x` }),
    ['diff'],
  ],
  [
    'a monitor of files',
    (at) => setConfig(at, { 'core.fsmonitor': `echo ${mark} >&2; false` }),
    ['status'],
  ],
  [
    'a program that lists alternates',
    (at) => {
      writeFileSync(
        path.join(at, '.git/objects/info/alternates'),
        `${realpathSync(at)}/.git/objects\n`,
      )
      setConfig(at, { 'core.alternateRefsCommand': `echo ${mark} >&2; false` })
    },
    ['rev-list', '--alternate-refs', 'HEAD'],
  ],
  [
    'a program for signatures',
    (at) => {
      const commit = git(at, 'cat-file', 'commit', 'HEAD').replace(
        '\n\n',
        '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
      )
      const hash = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: at,
        input: commit,
        encoding: 'utf8',
      })
      git(at, 'update-ref', 'HEAD', hash.trim())
      writeFileSync(path.join(at, 'signs'), `#!/bin/sh\necho ${mark} >&2\n`, { mode: isExecutable })
      setConfig(at, { 'gpg.program': './signs' })
    },
    ['log', '-1', '--show-signature'],
  ],
  [
    'a server that is asked for what is missing, by ssh',
    (at) =>
      lackObject(at, {
        'remote.away.url': 'ssh://host/a',
        'core.sshCommand': `echo ${mark} >&2; false`,
      }),
    ['log', '-p'],
  ],
  [
    'a server that is asked for what is missing, by a helper',
    (at) =>
      lackObject(at, {
        'remote.away.url': `ext::sh -c echo% ${mark}% >&2`,
        'protocol.ext.allow': 'always',
      }),
    ['log', '-p'],
  ],
  [
    'a server that is asked for what is missing, here',
    (at) =>
      lackObject(at, {
        'remote.away.url': './.git',
        'remote.away.uploadpack': `echo ${mark} >&2; false`,
      }),
    ['log', '-p'],
  ],
  [
    'an included file',
    (at) => {
      setConfig(at, atStatus, path.join(at, 'more'))
      setConfig(at, { 'include.path': '../more' })
    },
    ['status'],
  ],
  [
    'a file that is included in a folder',
    (at) => {
      setConfig(at, atStatus, path.join(at, 'more'))
      setConfig(at, { 'includeIf.gitdir:**.path': '../more' })
    },
    ['status'],
  ],
  [
    'a settings file of the worktree',
    (at) => {
      setConfig(at, { 'extensions.worktreeConfig': 'true' })
      setConfig(at, atStatus, path.join(at, '.git/config.worktree'))
    },
    ['status'],
  ],
  [
    'a linked worktree',
    (at) => {
      git(at, 'worktree', 'add', '-q', 'linked')
      // Paths that lead there wherever the workspace is.
      writeFileSync(path.join(at, 'linked/.git'), 'gitdir: ../.git/worktrees/linked\n')
      writeFileSync(path.join(at, 'linked/a.txt'), 'third\n')
      setConfig(at, { 'extensions.worktreeConfig': 'true' })
      setConfig(at, atStatus, path.join(at, '.git/worktrees/linked/config.worktree'))
    },
    ['status'],
    'linked',
  ],
  [
    'a submodule',
    (at) => {
      makeRepository(`${at}-part`)
      git(
        at,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        `${at}-part`,
        'part',
      )
      git(at, 'commit', '-qm', 'Add a part')
      rmSync(`${at}-part`, { recursive: true })
      writeFileSync(path.join(at, 'part/a.txt'), 'third\n')
      setConfig(at, atStatus, path.join(at, '.git/modules/part/config'))
    },
    ['status'],
  ],
  [
    'a submodule whose name is a path, in its own folder',
    (at) => {
      makeRepository(`${at}-part`)
      git(
        at,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        '--quiet',
        'add',
        `${at}-part`,
        'some/part',
      )
      rmSync(`${at}-part`, { recursive: true })
      writeFileSync(path.join(at, 'some/part/a.txt'), 'third\n')
      setConfig(at, atStatus, path.join(at, '.git/modules/some/part/config'))
    },
    ['status'],
    'some/part',
  ],
  [
    'a repository in it that is bare',
    (at) => {
      cpSync(path.join(at, '.git'), path.join(at, 'bare'), { recursive: true })
      setConfig(
        at,
        {
          'core.bare': 'false',
          'core.worktree': '..',
          ...atStatus,
        },
        path.join(at, 'bare/config'),
      )
    },
    ['status'],
    'bare',
  ],
  [
    'a file that says where the repository is',
    (at) => {
      renameSync(path.join(at, '.git'), path.join(at, 'elsewhere'))
      writeFileSync(path.join(at, '.git'), 'gitdir: elsewhere\n')
      setConfig(at, atStatus, path.join(at, 'elsewhere/config'))
    },
    ['status'],
  ],
  [
    'a repository among the objects of another one',
    (at) => {
      cpSync(path.join(at, '.git'), path.join(at, 'copy'), { recursive: true })
      mkdirSync(path.join(at, '.git/objects/ab'), { recursive: true })
      renameSync(path.join(at, 'copy'), path.join(at, '.git/objects/ab/more'))
      mkdirSync(path.join(at, 'inside'))
      writeFileSync(path.join(at, 'inside/.git'), 'gitdir: ../.git/objects/ab/more\n')
      writeFileSync(path.join(at, 'inside/a.txt'), 'third\n')
      setConfig(at, atStatus, path.join(at, '.git/objects/ab/more/config'))
    },
    ['status'],
    'inside',
  ],
  [
    'a link that is the repository',
    (at) => {
      renameSync(path.join(at, '.git'), path.join(at, 'elsewhere'))
      symlinkSync('elsewhere', path.join(at, '.git'))
      setConfig(at, atStatus, path.join(at, 'elsewhere/config'))
    },
    ['status'],
  ],
  [
    'settings that are a link',
    (at) => {
      setConfig(at, atStatus)
      renameSync(configOf(at), path.join(at, 'settings'))
      symlinkSync('../settings', configOf(at))
    },
    ['status'],
  ],
  [
    'a repository whose common part is elsewhere',
    (at) => {
      mkdirSync(path.join(at, 'common'))
      for (const name of ['objects', 'refs', 'config'])
        renameSync(path.join(at, '.git', name), path.join(at, 'common', name))
      writeFileSync(path.join(at, '.git/commondir'), '../common\n')
      setConfig(at, atStatus, path.join(at, 'common/config'))
    },
    ['status'],
  ],
  [
    'a repository whose objects are a link',
    (at) => {
      renameSync(path.join(at, '.git/objects'), path.join(at, 'objects'))
      symlinkSync('../objects', path.join(at, '.git/objects'))
      setConfig(at, atStatus)
    },
    ['status'],
  ],
]

/** Removes an object, and says that a server has it. */
function lackObject(place: string, entries: Record<string, string>): void {
  const hash = git(place, 'rev-parse', 'HEAD:a.txt').trim()
  rmSync(path.join(place, '.git/objects', hash.slice(0, 2), hash.slice(2)))
  setConfig(place, {
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'away',
    'remote.away.promisor': 'true',
    ...entries,
  })
}

const placeOf = (name: string) => name.replaceAll(/[^a-z]+/g, '-')

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'exec-git-')))
  chmodSync(folder, 0o755)
  root = path.join(folder, 'workspace')
  mkdirSync(root)
  for (const [name, set] of traps) {
    makeRepository(path.join(root, placeOf(name)))
    set(path.join(root, placeOf(name)))
  }
  makeRepository(path.join(root, 'plain'))
  makeRepository(path.join(root, 'long-hashes'), '--object-format=sha256')
  makeRepository(path.join(root, 'with-hook'))
  makeRepository(path.join(root, 'unpacked-into'))
  mkdirSync(path.join(root, 'unpacked-into/part'))
  writeFileSync(path.join(root, 'unpacked-into/part/.git'), 'gitdir: ../.git\n')
  writeFileSync(
    path.join(root, 'with-hook/.git/hooks/post-index-change'),
    `#!/bin/sh\necho ${mark} >&2\n`,
    { mode: isExecutable },
  )
  const evil = path.join(folder, 'evil')
  for (const name of ['config', 'hooks/post-checkout', 'info/more', 'HEAD']) {
    mkdirSync(path.dirname(path.join(evil, '.git', name)), { recursive: true })
    writeFileSync(path.join(evil, '.git', name), 'from an archive\n')
  }
  writeFileSync(path.join(evil, 'a.txt'), 'from an archive\n')
  execFileSync('tar', [
    '-cf',
    path.join(root, 'unpacked-into/repository.tar'),
    '-C',
    evil,
    '.git',
    'a.txt',
  ])
  rmSync(path.join(evil, '.git'), { recursive: true })
  writeFileSync(path.join(evil, '.git'), 'gitdir: elsewhere\n')
  execFileSync('tar', ['-cf', path.join(root, 'unpacked-into/part/link.tar'), '-C', evil, '.git'])
  cpSync(root, path.join(folder, 'on-the-host'), { recursive: true, preserveTimestamps: true })
  execFileSync('chmod', [
    '-R',
    'a+rwX',
    path.join(root, 'unpacked-into'),
    path.join(root, 'with-hook'),
  ])
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${owner}:${owner}`, root])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Answer = { exitCode: number | null; output: string; errors?: string }

async function run(
  program: string,
  args: string[],
  place: string,
  over: Partial<UsableProgram> = {},
) {
  const site = memoryWorkspaces([{ id: 'w', name: 'code', root, isWritable: true }])
  const asked = { workspace: 'code', program, arguments: args, folder: place }
  const resources = { workspaces: site, programs: knownProgramResources(over) }
  const { content } = await callToolDirectly(exec, asked, resources)
  return content as Answer
}

const trouble = await sandboxTrouble()

describe('programs that a repository names', () => {
  it.each(traps)('on the host, git starts %s', (name, _, args, below = '') => {
    const place = path.join(folder, 'on-the-host', placeOf(name), below)
    const { stdout, stderr } = spawnSync(
      'git',
      [...settings, '-c', 'protocol.ext.allow=always', ...args],
      { cwd: place, encoding: 'utf8' },
    )
    expect(`${stdout}${stderr}`).toContain(mark)
  })

  it.skipIf(trouble !== null).each(traps)(
    'git does not start %s',
    async (name, _, args, below = '') => {
      const { output, errors } = await run('git', args, path.posix.join(placeOf(name), below))
      expect(`${output}${errors}`).not.toContain(mark)
    },
  )

  it.skipIf(trouble !== null)('another program that starts git starts none of them', async () => {
    const starts = traps.map(([name, _, args, below = '']) => {
      const place = path.posix.join(placeOf(name), below)
      return `git -C ${place} -c safe.directory='*' ${args.join(' ')}`
    })
    const { output, errors } = await run('sh', ['-c', starts.join('\n')], '')
    expect(`${output}${errors}`.split('\n').filter((line) => line.includes(mark))).toEqual([])
    expect(output).toContain('On branch master')
  })
})

describe.skipIf(trouble !== null)('a repository in the sandbox', () => {
  it('is read as it is, also with hashes of SHA-256, in a linked worktree and in a submodule', async () => {
    for (const place of ['plain', 'long-hashes'])
      expect(await run('git', ['log', '--format=%s'], place), place).toEqual({
        exitCode: 0,
        output: 'Write other\nWrite first\n',
      })
    const { output } = await run('git', ['rev-parse', 'HEAD'], 'long-hashes')
    expect(output).toMatch(/^[0-9a-f]{64}\n$/)
    expect((await run('git', ['diff', '--stat'], 'plain')).output).toContain('a.txt | 2 +-')
    expect((await run('git', ['status', '--short'], 'plain')).output).toBe(' M a.txt\n')
    expect((await run('git', ['blame', '-s', 'a.txt'], 'plain')).output).toContain('third')
    expect((await run('git', ['grep', 'third'], 'plain')).output).toBe('a.txt:third\n')
    expect((await run('git', ['describe', '--all'], 'plain')).output).toBe('heads/master\n')
    expect((await run('git', ['status'], 'a-linked-worktree/linked')).output).toContain('linked')
    expect((await run('git', ['log', '--format=%s'], 'a-submodule/part')).exitCode).toBe(0)
  })

  it('has no settings and no hooks, for no program', async () => {
    const { output, errors } = await run(
      'sh',
      ['-c', 'cat .git/config; ls .git/hooks'],
      'with-hook',
    )
    expect(errors).toBeUndefined()
    expect(output).toBe('[core]\n\trepositoryFormatVersion = 0\n')
    const script =
      'git -c safe.directory="*" -c core.hooksPath=.git/hooks update-index --refresh --force-write-index'
    await run('sh', ['-c', script], 'with-hook').then((answer) =>
      expect(JSON.stringify(answer)).not.toContain(mark),
    )
  })

  it('is hidden where its settings cannot be covered', async () => {
    const { exitCode, errors } = await run('git', ['status'], 'settings-that-are-a-link')
    expect({ exitCode, errors }).toMatchObject({
      exitCode: 128,
      errors: expect.stringContaining('not a git repository'),
    })
  })

  it('is not read where it is bare and no folder says so', async () => {
    const { errors } = await run('git', ['log'], 'a-repository-in-it-that-is-bare/bare')
    expect(errors).toContain('safe.bareRepository')
  })

  it('stays as it was when an archive has files for it', async () => {
    const place = path.join(root, 'unpacked-into')
    const read = (name: string) => readFileSync(path.join(place, name), 'utf8')
    const before = [read('.git/config'), read('.git/HEAD')]
    for (const name of ['.git/config', '.git/hooks/post-checkout', '.git/info/more', '.git/HEAD']) {
      const { exitCode, errors } = await run(
        'tar',
        ['-xf', 'repository.tar', name],
        'unpacked-into',
      )
      expect({ exitCode, errors }, name).toMatchObject({
        exitCode: 2,
        errors: expect.stringMatching(/Read-only file system|File exists/),
      })
    }
    expect([read('.git/config'), read('.git/HEAD')]).toEqual(before)
    expect(readdirSync(path.join(place, '.git/info'))).toEqual(['exclude'])
    expect((await run('tar', ['-xf', 'link.tar'], 'unpacked-into/part')).exitCode).toBe(2)
    expect(read('part/.git')).toBe('gitdir: ../.git\n')
    expect((await run('tar', ['-xf', 'repository.tar', 'a.txt'], 'unpacked-into')).exitCode).toBe(0)
    expect(read('a.txt')).toBe('from an archive\n')
  })
})
