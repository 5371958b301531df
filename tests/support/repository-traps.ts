import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

export const mark = 'STARTED-BY-A-REPOSITORY'
/** A command for a setting of a repository: it shows that it ran, and passes on what it reads. */
const marks = `echo ${mark} >&2; cat`
export const settings = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'safe.directory=*',
]

function git(place: string, ...args: string[]): string {
  return execFileSync('git', [...settings, ...args], { cwd: place, encoding: 'utf8' })
}

/** Makes a repository with two commits and a change, whose attributes name the driver "x". */
export function makeRepository(place: string, ...options: string[]): void {
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
export const isExecutable = 0o755
/** Settings that start a command at `git status` where a file changed. */
const atStatus = { 'core.fsmonitor': `echo ${mark} >&2; false`, 'filter.x.clean': marks }

const convert = (at: string) => setConfig(at, { 'diff.x.textconv': `sh -c '${marks} "$1"' x` })

/** Repositories that name a program: how one is made of an ordinary repository, the command that starts it, and where it begins. */
export const traps: [string, (place: string) => void, string[], string?][] = [
  ['a textconv, at log', convert, ['log', '-p']],
  ['a textconv, at show', convert, ['show']],
  ['a textconv, at diff', convert, ['diff']],
  ['a textconv, at blame', convert, ['blame', 'a.txt']],
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
