import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import { runningWith } from '@/tests/support/running-with'
import { memoryContext } from '@/tests/support/tool-context'
import { giveToOwner } from '@/tests/support/workspace-folder'
import { bindTool } from '../bind-tool'
import type { UsableProgram } from '../tool-resources'
import exec from './exec'

let root: string
let outside: string

beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'exec-')))
  ;[root, outside] = [path.join(folder, 'workspace'), path.join(folder, 'outside')]
  mkdirSync(path.join(root, 'docs'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'secret.txt'), 'TELL-NOBODY')
  writeFileSync(path.join(root, 'docs/a.md'), 'alpha\nbeta\n')
  writeFileSync(path.join(root, '.env'), 'PASSPHRASE of the house')
  writeFileSync(path.join(root, 'server.key'), 'PASSPHRASE of the house')
  mkdirSync(path.join(root, '.ssh'))
  writeFileSync(path.join(root, '.ssh/config'), 'PASSPHRASE of the house')
  symlinkSync(outside, path.join(root, 'way-out'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      cwd: root,
    })
  git('init', '-q')
  git('add', 'docs')
  git('commit', '-qm', 'Begin')
  giveToOwner(root)
})
afterAll(() => rmSync(path.dirname(root), { recursive: true, force: true }))

type Answer = { exitCode: number | null; output: string; errors?: string; stopped?: string }

async function run(
  program: string,
  args: string[],
  more: object = {},
  over: Partial<UsableProgram> = {},
) {
  const site = memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: true }])
  const input = { workspace: 'handbook', program, arguments: args, ...more }
  const { content } = await callToolDirectly(exec, input, {
    workspaces: site,
    programs: knownProgramResources(over),
  })
  return content as Answer
}
const shell = (script: string, over: Partial<UsableProgram> = {}) =>
  run('sh', ['-c', script], {}, over)

const problem = await sandboxProblem()

it('has a sandbox to be tested in, unless this machine forbids one', () => {
  expect(problem ?? '').not.toContain('not installed')
})

describe.skipIf(problem !== null)('what it is for', () => {
  it('runs a listed program in a folder, and says where it failed', async () => {
    expect(await run('git', ['log', '--format=%s %an'])).toMatchObject({
      exitCode: 0,
      output: 'Begin Ada\n',
    })
    expect(await run('cat', ['a.md'], { folder: 'docs' })).toMatchObject({
      output: 'alpha\nbeta\n',
    })
    const missing = await run('cat', ['none.md'])
    expect(missing).toMatchObject({ exitCode: 1, errors: expect.stringContaining('none.md') })
  })

  it('leaves the hashes of commits readable, and no key', async () => {
    expect((await run('git', ['log', '--format=%H'])).output).toMatch(/^[0-9a-f]{40}\n$/)
    const { output } = await shell('echo sk-live-0123456789abcdef0123; echo password=hunter2000')
    expect(output).not.toMatch(/0123456789|hunter/)
  })

  it('passes each argument on as it is: there is no shell', async () => {
    const { errors } = await run('cat', ['$(id); *'])
    expect(errors).toContain('$(id); *')
  })

  it('shows an approver the command line and the folder', async () => {
    const site = memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: true }])
    const tool = bindTool(exec, () => ({
      ...Object({}),
      workspaces: site,
      programs: knownProgramResources(),
    }))
    const input = {
      workspace: 'handbook',
      program: 'git',
      arguments: ['log', 'a b'],
      folder: 'docs',
    }
    expect(tool.look?.isAct).toBe(true)
    expect(await tool.look?.read(input, memoryContext())).toBe(
      "/usr/bin/git --no-pager log --no-ext-diff --no-textconv 'a b'\n\nin handbook/docs\nIn a sandbox, without network; it cannot write files",
    )
  })

  it('shows what a program writes while it runs, line by line and without secrets', async () => {
    const site = memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: true }])
    const progress: string[] = []
    const tool = bindTool(exec, () => ({
      ...Object({}),
      workspaces: site,
      programs: knownProgramResources(),
    }))
    const script =
      'echo first; sleep 0.2; printf "token=abc"; sleep 0.2; echo defghijk; printf last'
    const input = { workspace: 'handbook', program: 'sh', arguments: ['-c', script], folder: '' }
    await tool.execute(input, { ...memoryContext(), tell: (text) => progress.push(text) })
    expect(progress).toEqual(['first\n', 'token=[redacted]\n', 'last'])
  })

  it('names the listed programs when there is none of the name', async () => {
    await expect(run('bash', [])).rejects.toThrow(
      /No program of this name is listed\. Listed are: cat, /,
    )
  })
})

it('refuses arguments before anything runs', async () => {
  const request = run('git', ['-c', 'core.pager=id', 'log'])
  await expect(request).rejects.toMatchObject({ code: 'argument-refused' })
})

it.skipIf(problem !== null)('lets no script of sed run programs or write files', async () => {
  for (const script of ['1e id', 's/alpha/id/e', 'w out.txt', 'r /etc/passwd'])
    expect((await run('sed', [script, 'docs/a.md'])).exitCode).not.toBe(0)
  expect(existsSync(path.join(root, 'out.txt'))).toBe(false)
})

/** Attempts of a hostile program. None may print the secret or leave a file outside. */
const escapes: [string, string][] = [
  ['a path', 'cat OUTSIDE/secret.txt'],
  ['a link in the workspace', 'cat way-out/secret.txt'],
  ['a link of its own', 'ln -s / root-link; cat root-link/OUTSIDE/secret.txt; rm root-link'],
  ['.. above the workspace', 'cat ../../../../../../OUTSIDE/secret.txt'],
  ['/proc/1/root', 'cat /proc/1/root/OUTSIDE/secret.txt'],
  ['/proc/self/root', 'cat /proc/self/root/OUTSIDE/secret.txt'],
  ['/proc/PARENT/cwd', 'cat /proc/$PPID/cwd/../outside/secret.txt'],
  ['an inherited descriptor', 'for f in /proc/self/fd/*; do cat "$f/../outside/secret.txt"; done'],
  [
    'the environment of the server',
    'cat /proc/*/environ | tr "\\0" "\\n" | grep TOOLGATE_TEST_RUN && echo TELL-NOBODY',
  ],
  ['its own environment', 'env | grep -E "TOOLGATE|DATABASE|SECRET|NODE" && echo TELL-NOBODY'],
  ['a write outside', 'echo x > OUTSIDE/written; echo x > way-out/written'],
  ['a hidden file', 'cat .env server.key .ssh/config | grep PASSPHRASE && echo TELL-NOBODY'],
  [
    'a hidden file under another name',
    'mv .env other; cp server.key copy; cat other copy | grep PASSPHRASE && echo TELL-NOBODY; rm -f copy',
  ],
  ['a mount', 'mount --bind / /tmp && cat /tmp/OUTSIDE/secret.txt'],
  [
    'an unmount',
    'umount /workspace/.env; umount /proc; cat .env | grep PASSPHRASE && echo TELL-NOBODY',
  ],
  [
    'a namespace of its own',
    'unshare -Urm sh -c "mount --bind / /tmp; cat /tmp/OUTSIDE/secret.txt"',
  ],
  ['chroot', 'chroot /proc/1/root cat OUTSIDE/secret.txt'],
  ['a device', 'mknod disk b 254 0 && echo TELL-NOBODY; ls /dev/vda /dev/sda && echo TELL-NOBODY'],
  ['a setting of the kernel', 'echo 1 > /proc/sys/kernel/panic && echo TELL-NOBODY'],
  ['sysrq', 'test -w /proc/sysrq-trigger && echo TELL-NOBODY'],
  [
    'the memory of the machine',
    'head -c 1 /dev/mem && echo TELL-NOBODY; head -c 1 /proc/kcore && echo TELL-NOBODY',
  ],
  [
    'the system folders',
    'echo x > /usr/toolgate-test && echo TELL-NOBODY; echo x > /etc/toolgate-test && echo TELL-NOBODY',
  ],
  ['the terminal', 'exec 3<>/dev/tty && echo TELL-NOBODY'],
  [
    'another process',
    'kill -9 -1; for p in /proc/[0-9]*; do [ "$(cat $p/comm)" = node ] && echo TELL-NOBODY; done',
  ],
  [
    'the network',
    'cat < /dev/tcp/127.0.0.1/1; ls /sys/class/net && echo TELL-NOBODY; grep -v lo: /proc/net/dev | grep : && echo TELL-NOBODY',
  ],
  ['a socket of the server', 'ls /run /var/run /tmp/.X11-unix && echo TELL-NOBODY'],
]

describe.skipIf(problem !== null)('the sandbox keeps inside', () => {
  it.each(escapes)('%s', async (_, script) => {
    const { output, errors } = await shell(script.replaceAll('OUTSIDE', outside))
    expect(`${output}${errors}`).not.toContain('TELL-NOBODY')
    expect(existsSync(path.join(outside, 'written'))).toBe(false)
  })
})

describe.skipIf(problem !== null)('limits', () => {
  it('ends at its time, also what ignores SIGTERM, and all that it started', async () => {
    const script = 'trap "" TERM HUP INT; setsid sh -c "sleep 321" & sleep 321'
    expect(await shell(script, { ms: 500 })).toMatchObject({
      stopped: expect.stringContaining('longer than 0.5 s'),
    })
    expect(runningWith('sleep 321')).toEqual([])
  })

  it('ends what stays in the background when the program ends', async () => {
    expect(await shell('setsid sleep 432 >/dev/null 2>&1 & echo started')).toMatchObject({
      output: 'started\n',
    })
    await vi.waitFor(() => expect(runningWith('sleep 432')).toEqual([]), 5_000)
  })

  it('ends what uses too much memory or writes too much', async () => {
    const much = 'perl -e \'my $x = "a" x (300*1024*1024); sleep 9\''
    expect(await shell(much)).toMatchObject({
      stopped: expect.stringContaining('256 MiB of memory'),
    })
    const { output, stopped } = await shell('yes | head -c 1000000000')
    expect(stopped).toContain('wrote more than 1 MiB')
    expect(output).toHaveLength(1024 * 1024)
  })

  it('has at most 64 processes, whoever starts others without end', async () => {
    const started = await shell(
      'i=0; while [ $i -lt 5000 ]; do sleep 5 & i=$((i+1)); done; echo all',
      { ms: 30_000 },
    )
    expect(started.output).not.toContain('all')
    expect(`${started.errors}${started.stopped}`).toMatch(/fork|processes/i)
  })

  it('decodes what is no UTF-8, and names how', async () => {
    const printed = await shell(String.raw`printf 'Gr\374\337e'`)
    expect(printed).toMatchObject({
      output: 'Gr\u00fc\u00dfe',
      encoding: 'windows-1252 (assumed: it names none and is not UTF-8)',
    })
  })

  it('leaves no file of more than 256 MiB, and nothing in memory', async () => {
    await shell(
      'head -c 300000000 /dev/zero > large; head -c 100000000 /dev/zero > /tmp/large; head -c 100000000 /dev/zero > /dev/shm/large',
    )
    const { output } = await shell('stat -c %s large; ls /tmp /dev/shm; rm -f large')
    expect(output).toBe('268435456\n/dev/shm:\n\n/tmp:\n')
  })

  it('ends at a stop', async () => {
    const stop = new AbortController()
    const site = memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: true }])
    const tool = bindTool(exec, () => ({
      ...Object({}),
      workspaces: site,
      programs: knownProgramResources(),
    }))
    const input = {
      workspace: 'handbook',
      program: 'sh',
      arguments: ['-c', 'echo on; sleep 543'],
      folder: '',
    }
    const context = { ...memoryContext(), signal: stop.signal, tell: () => stop.abort() }
    await tool.execute(input, context)
    expect(runningWith('sleep 543')).toEqual([])
  })
})

describe('what it refuses to run', () => {
  it('a program that is not ready, and a folder that is hidden or leads out', async () => {
    await expect(run('cat', ['x'], {}, { problem: 'There is no such file.' })).rejects.toThrow(
      'There is no such file.',
    )
    for (const folder of ['way-out', '..', '.ssh', '/etc', 'docs/a.md'])
      await expect(run('ls', [], { folder })).rejects.toThrow('not found or not permitted')
  })

  it.skipIf(problem !== null)('writes in a workspace where tools only read', async () => {
    const site = memoryWorkspaces([{ id: 'w', name: 'archive', root, isWritable: false }])
    const input = { workspace: 'archive', program: 'sh', arguments: ['-c', 'echo x > new.md'] }
    const { content } = await callToolDirectly(exec, input, {
      workspaces: site,
      programs: knownProgramResources(),
    })
    expect(content).toMatchObject({ errors: expect.stringContaining('Read-only') })
  })
})
