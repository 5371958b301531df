import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { knownProgramResources } from '@/tests/support/known-program-resources'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import type { UsableProgram } from '../tool-resources'
import exec from './exec'

let folder: string
let root: string
const owner = 4242

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'exec-programs-')))
  chmodSync(folder, 0o755)
  root = path.join(folder, 'workspace')
  mkdirSync(path.join(root, 'unpacked'), { recursive: true })
  writeFileSync(path.join(root, 'a.md'), 'beta\nalpha\n')
  writeFileSync(path.join(root, 'a.json'), '{"name": "Ada"}')
  writeFileSync(path.join(root, 'list'), '/etc/passwd\n')
  // Files that some programs read by themselves.
  writeFileSync(path.join(root, 'marks.sh'), '#!/bin/sh\necho STARTED\n', { mode: 0o755 })
  writeFileSync(path.join(root, '.jq'), 'def name: "from a file";\n')
  writeFileSync(path.join(root, 'module.jq'), 'def told: env | keys | join(" ");\n')
  const outside = path.join(folder, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'kept.md'), 'kept\n')
  const made = path.join(folder, 'made')
  mkdirSync(made)
  writeFileSync(path.join(made, 'inner.md'), 'inner\n')
  const tar = (name: string, ...args: string[]) =>
    execFileSync('tar', ['-cf', path.join(root, 'unpacked', name), ...args], { cwd: made })
  tar('plain.tar', 'inner.md')
  tar('host:plain.tar', '--force-local', 'inner.md')
  tar('absolute.tar', '-P', '--transform', `s|inner.md|${outside}/kept.md|`, 'inner.md')
  tar('above.tar', '-P', '--transform', 's|inner.md|../../outside/kept.md|', 'inner.md')
  symlinkSync(outside, path.join(made, 'leads-out'))
  tar('link.tar', 'leads-out')
  execFileSync(
    'tar',
    [
      '-rf',
      path.join(root, 'unpacked/link.tar'),
      '--transform',
      's|inner|leads-out/kept|',
      'inner.md',
    ],
    { cwd: made },
  )
  execFileSync('chmod', ['-R', 'a+rwX', root])
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${owner}:${owner}`, root])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Answer = { exitCode: number | null; output: string; errors?: string; stopped?: string }

async function run(program: string, args: string[], place = '', over: Partial<UsableProgram> = {}) {
  const site = memoryWorkspaces([{ id: 'w', name: 'docs', root, isWritable: true }])
  const input = { workspace: 'docs', program, arguments: args, folder: place }
  const resources = { workspaces: site, programs: knownProgramResources(over) }
  const { content } = await callToolDirectly(exec, input, resources)
  return content as Answer
}
const noRules = { first: [], rules: { subcommands: [], refused: [] } }

const problem = await sandboxProblem()

describe('options of shipped programs that start others, write or follow', () => {
  const refused: [string, string[]][] = [
    ['git', ['log', '--outp=x']],
    ['git', ['grep', '--open-files=./marks.sh', 'x']],
    ['find', ['.', '-exec', './marks.sh', ';']],
    ['grep', ['--fil=list', 'a.md']],
    ['rg', ['--pre=./marks.sh', 'a']],
    ['rg', ['--search-z', 'a']],
    ['tail', ['--foll', 'a.md']],
    ['tail', ['-5f', 'a.md']],
    ['wc', ['--files0=list']],
    ['diff', ['--pag', 'a.md', 'list']],
    ['diff', ['-ul', 'a.md', 'list']],
    ['diff', ['--to=list', 'a.md']],
    ['sort', ['--comp=./marks.sh', 'a.md']],
    ['sort', ['-nT', '/tmp', 'a.md']],
    ['sed', ['--in-p', 's/a/b/', 'a.md']],
    ['sed', ['-Ei', 's/a/b/', 'a.md']],
    ['jq', ['-rL', '.', '.', 'a.json']],
    ['jq', ['--library-path', '.', '.', 'a.json']],
    ['sha256sum', ['--ch', 'list']],
    ['tar', ['--to-command=./marks.sh', '-xf', 'plain.tar']],
    ['tar', ['xf', 'plain.tar']],
    ['tar', ['-xf', 'plain.tar', '--to-c=./marks.sh']],
    ['tar', ['-xf', 'plain.tar', '--checkp=1', '--checkpoint-act=exec=./marks.sh']],
    ['tar', ['-xf', 'plain.tar', '--use=./marks.sh']],
    ['tar', ['-xf', 'plain.tar', '-M']],
    ['tar', ['-xf', 'plain.tar', '-L1']],
    ['tar', ['-xf', 'plain.tar', '--multi']],
    ['tar', ['-xf', 'plain.tar', '--index-file=list']],
    ['tar', ['-xf', 'plain.tar', '--volno=list']],
    ['tar', ['-xf', 'plain.tar', '-g', 'list']],
    ['tar', ['-xf', 'plain.tar', '-G']],
    ['tar', ['-xf', 'plain.tar', '--listed=list']],
    ['tar', ['-xf', 'plain.tar', '--recursive-u']],
    ['tar', ['-xf', 'plain.tar', '--one-top=/tmp']],
    ['tar', ['-xf', 'plain.tar', '-vp']],
    ['tar', ['-xf', 'plain.tar', '--same-o']],
    ['tar', ['-xf', 'plain.tar', '--preserve-perm']],
  ]
  it.each(refused)('%s %j is refused before it runs', async (program, args) => {
    await expect(run(program, args)).rejects.toMatchObject({ code: 'argument-refused' })
  })
})

describe.skipIf(problem !== null)('shipped programs in the sandbox', () => {
  const writes: [string, string[]][] = [
    ['git', ['diff', '--no-index', '--output=made-by-a-program', 'a.md', 'list']],
    ['find', ['.', '-maxdepth', '1', '-fprint', 'made-by-a-program']],
    ['find', ['.', '-name', 'a.md', '-delete']],
    ['sort', ['a.md', '-o', 'made-by-a-program']],
    ['sed', ['-i', 's/alpha/gamma/', 'a.md']],
    ['sed', ['-n', 'w made-by-a-program', 'a.md']],
  ]
  it.each(writes)('%s %j cannot write, even without rules', async (program, args) => {
    const { errors } = await run(program, args, '', noRules)
    expect(errors).toContain('Read-only file system')
    expect(existsSync(path.join(root, 'made-by-a-program'))).toBe(false)
    expect(readFileSync(path.join(root, 'a.md'), 'utf8')).toBe('beta\nalpha\n')
  })

  it('sed runs no program and reads and writes no other file by its script', async () => {
    for (const script of [
      '1e ./marks.sh',
      's/beta/.\\/marks.sh/e',
      '1r list',
      '1R list',
      'w x',
      '1W x',
      's/a/b/w x',
    ])
      expect(await run('sed', [script, 'a.md']), script).toMatchObject({
        exitCode: 1,
        errors: expect.stringContaining('sandbox mode'),
      })
  })

  it('jq reads no file of its own, and a module can tell only what the program gets anyway', async () => {
    expect(await run('jq', ['name', 'a.json'])).toMatchObject({ exitCode: 3 })
    const printed = await run('jq', ['-rn', 'include "module" {search: "./"}; told'])
    expect(printed.output).toBe('HOME LANG NO_COLOR PAGER PATH PWD TERM\n')
  })

  it('no program gets options from the environment of the server', async () => {
    for (const name of ['TAR_OPTIONS', 'GREP_OPTIONS', 'RIPGREP_CONFIG_PATH', 'GIT_EXTERNAL_DIFF'])
      vi.stubEnv(name, './marks.sh')
    expect((await run('sh', ['-c', 'env'])).output).not.toMatch(/OPTIONS|CONFIG_PATH|GIT_/)
    vi.unstubAllEnvs()
  })

  it('tail that follows in an old spelling ends at its time', async () => {
    expect(await run('tail', ['+1f', 'a.md'], '', { ms: 300 })).toMatchObject({
      stopped: expect.stringContaining('longer than'),
    })
  })

  it('tar takes a name with a colon as a file here, and starts nothing that connects', async () => {
    expect(await run('tar', ['-tf', 'host:plain.tar'], 'unpacked')).toEqual({
      exitCode: 0,
      output: 'inner.md\n',
    })
  })

  it('tar writes nothing outside by absolute names, by "..", or by a link of the archive', async () => {
    for (const name of ['absolute.tar', 'above.tar', 'link.tar'])
      await run('tar', ['-xf', name], 'unpacked')
    expect(readFileSync(path.join(folder, 'outside/kept.md'), 'utf8')).toBe('kept\n')
  })

  it('the others show files, and nothing of the server', async () => {
    expect((await run('ls', [])).output).toContain('a.md')
    for (const program of ['cat', 'head', 'tail', 'wc', 'sha256sum', 'sort'])
      expect(await run(program, ['a.md']), program).toMatchObject({ exitCode: 0 })
    for (const program of ['cat', 'head', 'tail', 'wc', 'sha256sum', 'sort', 'ls'])
      expect((await run(program, ['/etc/passwd'])).exitCode, program).not.toBe(0)
    expect((await run('grep', ['-r', 'alpha', '.'])).output).toContain('a.md:alpha')
    expect((await run('diff', ['a.md', 'list'])).exitCode).toBe(1)
    expect((await run('find', ['/etc', '-name', 'passwd'])).output).toBe('')
  })
})
