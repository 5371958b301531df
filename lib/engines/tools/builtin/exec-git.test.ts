import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { knownProgramResources } from '@/tests/support/known-program-resources'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import {
  isExecutable,
  makeRepository,
  mark,
  settings,
  traps,
} from '@/tests/support/repository-traps'
import type { UsableProgram } from '../tool-resources'
import exec from './exec'

const owner = 4242
let folder: string
let root: string

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
  makeRepository(path.join(root, 'newer'))
  const newer = '[extensions]\n\trefstorage = reftable\n\tpartialClone = away\n'
  writeFileSync(path.join(root, 'newer/.git/config'), newer)
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
  const input = { workspace: 'code', program, arguments: args, folder: place }
  const resources = { workspaces: site, programs: knownProgramResources(over) }
  const { content } = await callToolDirectly(exec, input, resources)
  return content as Answer
}

const problem = await sandboxProblem()

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

  it.skipIf(problem !== null).each(traps)(
    'git does not start %s',
    async (name, _, args, below = '') => {
      const { output, errors } = await run('git', args, path.posix.join(placeOf(name), below))
      expect(`${output}${errors}`).not.toContain(mark)
    },
  )

  it.skipIf(problem !== null)('another program that starts git starts none of them', async () => {
    const starts = traps.map(([name, _, args, below = '']) => {
      const place = path.posix.join(placeOf(name), below)
      return `git -C ${place} -c safe.directory='*' ${args.join(' ')}`
    })
    const { output, errors } = await run('sh', ['-c', starts.join('\n')], '')
    expect(`${output}${errors}`.split('\n').filter((line) => line.includes(mark))).toEqual([])
    expect(output).toContain('On branch master')
  })
})

describe.skipIf(problem !== null)('a repository in the sandbox', () => {
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
    const args = ['-c', 'core.hooksPath=.git/hooks', 'update-index', '--force-write-index']
    const host = spawnSync('git', [...settings, ...args], {
      cwd: path.join(folder, 'on-the-host/with-hook'),
      encoding: 'utf8',
    })
    expect(host.stderr).toContain(mark)
    const script = 'git -c safe.directory="*" "$@"'
    expect(await run('sh', ['-c', script, 'sh', ...args], 'with-hook')).toEqual({
      exitCode: 0,
      output: '',
    })
  })

  it('keeps the name of the format that newer versions of git need', async () => {
    const { output } = await run('cat', ['.git/config'], 'newer')
    expect(output).toContain('refStorage = reftable')
    expect(output).not.toContain('partialClone')
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
