import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import type { DiskLimits } from '@/lib/engines/programs/disk-use'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { execAsNobody, nobodyId } from '@/tests/support/exec-elsewhere'
import { execIn, execResources } from '@/tests/support/exec-in'
import { memoryWorkspaces } from '@/tests/support/memory-workspaces'
import exec from './builtin/exec'

const problem = await sandboxProblem()
const mebibyte = 1024 * 1024
const isRoot = process.getuid?.() === 0

let folder: string
let root: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'limits-')))
  root = path.join(folder, 'workspace')
  mkdirSync(path.join(root, '.ssh'), { recursive: true })
  writeFileSync(path.join(root, '.ssh/config'), 'x')
  chmodSync(folder, 0o755)
  for (const each of [root, path.join(root, '.ssh')]) {
    chmodSync(each, 0o777)
    if (isRoot) chownSync(each, nobodyId, nobodyId)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Numbers of system calls: memfd_create, mmap, madvise, munmap, read, shmget, shmat, shmdt, semget. */
const calls =
  process.arch === 'arm64'
    ? [279, 222, 233, 215, 63, 194, 196, 197, 190]
    : [319, 9, 28, 11, 0, 29, 30, 67, 64]

/** Holds `pieces` of 100 MiB in ways that no process has in its resident memory, then says so and stays. */
const perl = (take: string, pieces: number) => `
  my ($memfd, $mmap, $madvise, $munmap, $read, $shmget, $shmat, $shmdt, $semget) = (${calls.join(', ')});
  $| = 1; print "IT BEGAN "; my $size = 100 * 1024 * 1024; my @kept; open(my $zero, "<", "/dev/zero"); my $chunk = "a" x 1048576;
  for my $piece (1 .. ${pieces}) { ${take} } print "ALL IS HELD"; sleep 5;`

const files = `my $fd = syscall($memfd, my $name = "x", 0); die "refused" if $fd < 0;
  open(my $file, ">&=", $fd); syswrite($file, $chunk) for 1 .. 100; push @kept, $file;`
const maps = `my $at = syscall($mmap, 0, $size, 3, 33, -1, 0); die "refused" if $at < 0;
  syscall($read, fileno($zero), $at, $size) == $size or die "short"; syscall($madvise, $at, $size, 4);`
const parts = maps.replace(
  'syscall($madvise, $at, $size, 4)',
  'syscall($munmap, $at + 4096, $size - 4096)',
)
const segments = `my $id = syscall($shmget, 0, $size, 01600); die "refused" if $id < 0;
  my $at = syscall($shmat, $id, 0, 0); syscall($read, fileno($zero), $at, $size); syscall($shmdt, $at);`
const semaphores = `for (1 .. 50) { die "refused" if syscall($semget, 0, 32000, 01600) < 0 }`

const held = {
  'shared memory that is mapped and not resident': ['perl', '-e', perl(maps, 16)],
  'shared memory of which a page is mapped': ['perl', '-e', perl(parts, 16)],
  'shared memory of many processes': [
    'sh',
    '-c',
    `for i in 1 2 3 4; do perl -e '${perl(maps, 4)}' & done; wait`,
  ],
  'files in memory that have no name': ['perl', '-e', perl(files, 16)],
  'shared memory that is not mapped any more': ['perl', '-e', perl(segments, 16)],
  'semaphores, which no process has': ['perl', '-e', perl(semaphores, 16)],
  'a folder that is hidden from it': [
    'sh',
    '-c',
    'echo IT BEGAN; for i in 1 2 3 4 5 6 7 8; do head -c 200000000 /dev/zero > .ssh/$i || exit; done; echo ALL IS HELD',
  ],
}

const program = ([name = '', ...args]: readonly string[]) => [`/usr/bin/${name}`, ...args] as const

type Limits = Partial<DiskLimits & { isWritable: boolean; memory: number }>

/** Returns a command with these limits, as it is given to the tool. */
function requestWith(
  command: readonly string[],
  { isWritable = true, memory = 512, ...disk }: Limits = {},
) {
  const room = { callBytes: 1024 ** 3, workspaceBytes: 10 * 1024 ** 3, freeBytes: 0, ...disk }
  const over = { memoryBytes: memory * mebibyte, disk: room, ms: 30_000 }
  return { root, argv: program(command), isWritable, over }
}
const run = (command: readonly string[], limits?: Limits) => execIn(requestWith(command, limits))

describe.skipIf(problem !== null)('memory that no process has as its own', () => {
  it.each(Object.entries(held))('%s is held to the limit', async (_, command) => {
    const { output, ...rest } = await run(command)
    expect(output).toContain('IT BEGAN')
    expect(output, JSON.stringify(rest)).not.toContain('ALL IS HELD')
  })

  it.skipIf(!isRoot).each(Object.entries(held))(
    '%s is held to the limit where there are no control groups',
    async (_, command) => {
      const { output, ...rest } = await execAsNobody(requestWith(command))
      expect(output, JSON.stringify(rest)).toContain('IT BEGAN')
      expect(output).not.toContain('ALL IS HELD')
    },
  )

  it.skipIf(!isRoot)('buffers of connections are held to it', async () => {
    const script = `$| = 1; print "IT BEGAN "; my $sum = 0;
      socket(my $door, PF_INET, SOCK_STREAM, 0); bind($door, pack_sockaddr_in(0, INADDR_LOOPBACK)); listen($door, 100);
      while (@kept < 200) {
        my ($in, $out); socket($in, PF_INET, SOCK_STREAM, 0) or last; connect($in, getsockname($door)) or last; accept($out, $door);
        $in->blocking(0); while (my $sent = syswrite($in, "a" x 65536)) { $sum += $sent } push @kept, $in, $out;
      } print int($sum / 1048576);`
    const command = ['perl', '-MSocket', '-MIO::Handle', '-e', script]
    const { output } = await run(command, { memory: 128 })
    const held = /^IT BEGAN (\d*)$/.exec(output)?.[1]
    expect(held).toBeDefined()
    expect(Number(held)).toBeLessThan(200)
  })

  it.skipIf(!isRoot)('buffers of sockets are few where there are no control groups', async () => {
    const script =
      'use Socket; while (socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0)) { push @kept, $a, $b } print scalar @kept'
    const { output } = await execAsNobody(requestWith(['perl', '-e', script]))
    expect(Number(output)).toBeGreaterThan(10)
    expect(Number(output)).toBeLessThan(64)
  })
})

describe.skipIf(problem !== null)('what a program writes to the disk', () => {
  const inside = (...names: string[]) => path.join(root, ...names)
  const shell = (script: string) => ['sh', '-c', script]

  it('ends a call that unpacks to more than it may add, and names what it wrote', async () => {
    const made = path.join(folder, 'made')
    mkdirSync(path.join(made, 'unpacked/.env'), { recursive: true })
    for (const name of ['a', 'b', 'c', '.env/token'])
      writeFileSync(path.join(made, 'unpacked', name), Buffer.alloc(40 * mebibyte))
    execFileSync('tar', ['-czf', inside('small.tgz'), '-C', made, 'unpacked'])
    rmSync(made, { recursive: true })
    expect(statSync(inside('small.tgz')).size).toBeLessThan(200_000)
    const unpack = run(shell('tar -xzf small.tgz --no-same-owner; sleep 20'), {
      callBytes: 64 * mebibyte,
    })
    const refused = await unpack.then(
      () => null,
      (error) => error,
    )
    expect(refused).toMatchObject({
      code: 'disk',
      message: expect.stringMatching(/added \d+ MiB to the workspace, and a call may add 64 MiB/),
    })
    expect(refused.message).toContain('What it wrote stays: unpacked/')
    expect(refused.message).not.toContain('token')
    rmSync(inside('unpacked'), { recursive: true })
    rmSync(inside('small.tgz'))
  })

  it('counts files that it deleted and has open', async () => {
    const script = 'exec 5>gone; rm gone; head -c 100000000 /dev/zero >&5; sleep 20'
    const writing = run(shell(script), { callBytes: 64 * mebibyte })
    await expect(writing).rejects.toMatchObject({ code: 'disk' })
    if (!isRoot) return
    const elsewhere = execAsNobody(requestWith(shell(script), { callBytes: 64 * mebibyte }))
    await expect(elsewhere).rejects.toThrow('a call may add 64 MiB')
  })

  it.skipIf(!isRoot)('counts what is in a folder that it closed to the server', async () => {
    const script =
      'mkdir shut; cd shut; exec 5>f; chmod 0 .; head -c 100000000 /dev/zero >&5; sleep 20'
    const writing = execAsNobody(requestWith(shell(script), { callBytes: 64 * mebibyte }))
    await expect(writing).rejects.toThrow('a call may add 64 MiB')
    rmSync(inside('shut'), { recursive: true })
  })

  it('keeps room on the disk of the workspace', async () => {
    const { bavail, bsize } = statfsSync(root)
    const freeBytes = bavail * bsize - 64 * mebibyte
    const writing = run(shell('head -c 200000000 /dev/zero > file; sleep 20'), {
      freeBytes,
    })
    await expect(writing).rejects.toThrow(/the disk of the workspace has [\d,]+ MiB left/)
    const full = run(shell('echo > never'), { freeBytes: Number.MAX_SAFE_INTEGER })
    await expect(full).rejects.toThrow(/^Nothing was run: the disk/)
    rmSync(inside('file'))
    expect(existsSync(inside('never'))).toBe(false)
  })

  it('starts nothing in a workspace that holds too much, and blames no call for what others write', async () => {
    const others = path.join(folder, 'others')
    writeFileSync(inside('old'), Buffer.alloc(80 * mebibyte))
    const limits = { workspaceBytes: 64 * mebibyte }
    const full = run(shell('echo > never'), limits)
    await expect(full).rejects.toThrow(
      /^Nothing was run: the workspace holds 8\d MiB, and may hold 64 MiB/,
    )
    expect(existsSync(inside('never'))).toBe(false)
    const read = run(shell('echo done'), { ...limits, isWritable: false })
    expect(await read).toMatchObject({ output: 'done\n' })
    const quiet = run(shell('echo > begun; sleep 1; echo done'), {
      callBytes: 64 * mebibyte,
    })
    await vi.waitFor(() => expect(existsSync(inside('begun'))).toBe(true), 10_000)
    writeFileSync(others, Buffer.alloc(100 * mebibyte))
    expect(await quiet).toMatchObject({ output: 'done\n' })
    for (const place of [others, inside('old'), inside('begun')]) rmSync(place)
  })
})

describe.skipIf(problem !== null)('arguments that are too long together', () => {
  it('are refused in words, and leave no control group', async () => {
    const words = Array<string>(200).fill('\u20AC'.repeat(10_000))
    await expect(run(['echo', ...words])).rejects.toThrow('arguments are too long together')
    if (!isRoot) return
    const places = ['pids', 'memory', ''].map((name) => `/sys/fs/cgroup/${name}`)
    const ours = () =>
      places
        .flatMap((place) => (existsSync(place) ? readdirSync(place) : []))
        .filter((name) => name.startsWith(`toolgate-${process.pid}-`))
    await vi.waitFor(() => expect(ours()).toEqual([]), 5_000)
  })
})

describe.skipIf(problem !== null)('when other programs run', () => {
  const begin = async (script: string, signal = new AbortController().signal) => {
    const progress: string[] = []
    const tell = (text: string) => progress.push(text)
    const answer = execIn({ ...requestWith(['sh', '-c', script]), signal, tell })
    return { progress, answer }
  }

  it('a call waits for the one before it in its workspace, says so, and sees what that left', async () => {
    const first = await begin('echo one > one; until [ -e go ]; do sleep 0.05; done; mv one two')
    await vi.waitFor(() => expect(existsSync(path.join(root, 'one'))).toBe(true), 10_000)
    const second = await begin('ls; rm two go')
    await vi.waitFor(() => expect(second.progress).not.toEqual([]), 10_000)
    writeFileSync(path.join(root, 'go'), '')
    expect((await second.answer).output).toMatch(/go\ntwo\n/)
    await first.answer
    expect(second.progress[0]).toBe('Waiting: another program runs in this workspace.\n')
    expect(second.progress[1]).toMatch(/^Began after \d+ s\.\n$/)
  })

  it('a call in a workspace that can only be read waits for one that writes in a workspace around it', async () => {
    const part = path.join(root, 'part')
    mkdirSync(part)
    if (isRoot) chownSync(part, nobodyId, nobodyId)
    const progress: string[] = []
    const call = (workspace: string, script: string, tell?: (text: string) => void) => {
      const { programs } = execResources({ root, path: '/bin/sh' })
      const both = [
        { id: 'a', name: 'whole', root, isWritable: true },
        { id: 'b', name: 'part', root: part, isWritable: false },
      ]
      const args = { workspace, program: 'program', arguments: ['-c', script] }
      return callToolDirectly(
        exec,
        args,
        { programs, workspaces: memoryWorkspaces(both) },
        undefined,
        tell,
      )
    }
    const first = call('whole', 'echo > begun; until [ -e go ]; do sleep 0.05; done; rm go')
    await vi.waitFor(() => expect(existsSync(path.join(root, 'begun'))).toBe(true), 10_000)
    const second = call('part', 'true', (text) => progress.push(text))
    await vi.waitFor(() => expect(progress).not.toEqual([]), 10_000)
    writeFileSync(path.join(root, 'go'), '')
    await Promise.all([first, second])
    expect(progress[0]).toBe('Waiting: another program runs in this workspace.\n')
    // Another process of Toolgate has the workspace around it.
    const other = spawn('flock', [root, '/bin/sh', '-c', 'echo locked; read -r _'])
    await once(other.stdout, 'data')
    progress.length = 0
    const third = call('part', 'true', (text) => progress.push(text))
    await vi.waitFor(() => expect(progress).not.toEqual([]), 10_000)
    other.stdin.end()
    await third
    expect(progress[0]).toBe('Waiting: another program runs in this workspace.\n')
    for (const place of [part, path.join(root, 'begun')]) rmSync(place, { recursive: true })
  })

  it('a call that is stopped while it waits runs nothing', async () => {
    const stop = new AbortController()
    const first = await begin('echo > here; until [ -e go ]; do sleep 0.05; done; rm here go')
    await vi.waitFor(() => expect(existsSync(path.join(root, 'here'))).toBe(true), 10_000)
    const second = await begin('echo > never', stop.signal)
    await vi.waitFor(() => expect(second.progress).not.toEqual([]), 10_000)
    stop.abort(new Error('The run was stopped.'))
    await expect(second.answer).rejects.toThrow('The run was stopped.')
    writeFileSync(path.join(root, 'go'), '')
    await first.answer
    expect(existsSync(path.join(root, 'never'))).toBe(false)
  })

  it('a call waits for another process of Toolgate that runs a program in its workspace', async () => {
    const other = spawn('flock', [root, '/bin/sh', '-c', 'echo locked; read -r _'])
    await once(other.stdout, 'data')
    const waiting = await begin('echo done')
    await vi.waitFor(() => expect(waiting.progress).not.toEqual([]), 10_000)
    expect(waiting.progress).toEqual(['Waiting: another program runs in this workspace.\n'])
    other.stdin.end()
    expect(await waiting.answer).toMatchObject({ output: 'done\n' })
    const stop = new AbortController()
    const again = spawn('flock', [root, '/bin/sh', '-c', 'echo locked; read -r _'])
    await once(again.stdout, 'data')
    const stopped = await begin('echo > never', stop.signal)
    await vi.waitFor(() => expect(stopped.progress).not.toEqual([]), 10_000)
    stop.abort(new Error('The run was stopped.'))
    await expect(stopped.answer).rejects.toThrow('The run was stopped.')
    again.stdin.end()
    expect(await run(['ls'])).toMatchObject({ exitCode: 0, output: '' })
  })
})
