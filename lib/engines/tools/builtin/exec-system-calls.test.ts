import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownPrograms } from '@/lib/domains/programs/shared/known-programs'
import { wordsIn } from '@/lib/domains/programs/shared/program-rules'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { execAsNobody, nobodyId } from '@/tests/support/exec-elsewhere'
import { execIn } from '@/tests/support/exec-in'
import { workspaceFolder } from '@/tests/support/workspace-folder'

const problem = await sandboxProblem()
const isRoot = process.getuid?.() === 0
/** Numbers of the calls of this processor; the other one is asked in `system-calls.test.ts`. */
const isX64 = process.arch === 'x64'

const root = workspaceFolder('system-calls')
const folders = [root]
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Makes a system call in the sandbox, after a script in Perl. Returns "0", or the number of the error. */
async function perl(script: string): Promise<string> {
  const argv = ['/usr/bin/perl', '-e', script] as const
  const { output, errors } = await execIn({ root, argv: [...argv] })
  return errors ?? output
}
const call = (number: number, ...args: (string | number)[]) =>
  perl(`my @a = (${args.map((each) => JSON.stringify(each)).join(', ')});
    $! = 0; my $r = syscall(${number}, @a); print $r == -1 ? $! + 0 : 0`)

const [EPERM, ENOSYS] = ['1', '38']
const [here, creates] = [-100, 0o102]
const setId = 0o4755

/** Each call of a 64-bit x86 processor that sets a mode, with arguments of which the last is the mode. */
const modes: [name: string, number: number, before: (string | number)[], after?: number[]][] = [
  ['chmod', 90, ['file']],
  ['fchmodat', 268, [here, 'file']],
  ['fchmodat2', 452, [here, 'file'], [0]],
  ['creat', 85, ['creat']],
  ['open with O_CREAT', 2, ['open', creates]],
  ['openat with O_CREAT', 257, [here, 'openat', creates]],
  ['open with O_TMPFILE', 2, ['.', 0o20200002]],
  ['mkdir', 83, ['mkdir']],
  ['mkdirat', 258, [here, 'mkdirat']],
  ['mknod', 133, ['mknod'], [0]],
  ['mknodat', 259, [here, 'mknodat'], [0]],
]
const unknown: [string, number, (string | number)[]][] = [
  ['openat2', 437, [here, 'file', 0, 0]],
  ['memfd_create', 319, ['name', 0]],
  ['memfd_secret', 447, [0]],
  ['io_uring_setup', 425, [1, 0]],
  ['clone3', 435, [0, 0]],
]
const refused: [string, number, (string | number)[]][] = [
  ['unshare of a user namespace', 272, [0x10000000]],
  ['setns', 308, [0, 0]],
  ['clone into a user namespace', 56, [0x10000011, 0, 0, 0, 0]],
  ['mount', 165, ['none', '/tmp', 'tmpfs', 0, 0]],
  ['fsopen', 430, ['tmpfs', 0]],
  ['add_key', 248, ['user', 'name', 'text', 4, -3]],
  ['keyctl', 250, [0, -3, 0]],
  ['perf_event_open', 298, [0, 0, -1, -1, 0]],
  ['bpf', 321, [0, 0, 0]],
]

describe.skipIf(problem !== null || !isX64)('a program in the sandbox', () => {
  beforeAll(async () => {
    await execIn({ root, argv: ['/usr/bin/touch', 'file'] })
  })

  it.each(modes)('gives no set-id bits to a file: %s', async (_, number, before, after = []) => {
    for (const mode of [setId, 0o2755])
      expect(await call(number, ...before, mode, ...after)).toBe(EPERM)
    // An old kernel does not know each of them.
    expect(await call(number, ...before, 0o755, ...after)).toMatch(/^(0|38)$/)
  })

  it('gives no set-id bits to an open file: fchmod', async () => {
    const open = (mode: number) =>
      perl(`open(my $f, "<", "file"); print syscall(91, fileno($f), ${mode}) == -1 ? $! + 0 : 0`)
    expect(await open(setId)).toBe(EPERM)
    expect(await open(0o755)).toBe('0')
  })

  it.each(unknown)('finds a kernel that does not know %s', async (_, number, args) => {
    expect(await call(number, ...args)).toBe(ENOSYS)
  })

  it.each(refused)('gets no %s', async (_, number, args) => {
    expect(await call(number, ...args)).toBe(EPERM)
  })

  it('opens no socket that leads past its network: to the host of a virtual machine, or into the kernel', async () => {
    for (const family of [40, 38]) expect(await call(41, family, 1, 0)).toBe('97')
    expect(await call(41, 1, 1, 0)).toBe('0')
  })

  it('is ended when it makes calls as 32-bit programs do', async () => {
    // chmod("f", 06755) by interrupt 0x80, and exit(0).
    const code = 'b80f000000bb00000000b9ed0d0000cd80b83c00000031ff0f05'
    writeFileSync(path.join(root, 'f'), '')
    writeFileSync(path.join(root, 'old'), smallProgram(code), { mode: 0o755 })
    chmodSync(path.join(root, 'old'), 0o755)
    if (isRoot) chownSync(path.join(root, 'f'), 4242, 4242)
    const { exitCode } = await execIn({ root, argv: ['/bin/sh', '-c', './old'] })
    expect(exitCode).toBe(128 + 31)
    expect(lstatSync(path.join(root, 'f')).mode & 0o6000).toBe(0)
  })

  it('leaves no set-id file by the ways that programs have', async () => {
    const script =
      'cp /usr/bin/id own; chmod 6755 own; install -m 4755 /usr/bin/id own2; cp -p /usr/bin/su own3; mkdir -m 2755 folder; true'
    await execIn({ root, argv: ['/bin/sh', '-c', script] })
    expect(withSetId(root)).toEqual([])
  })

  it('unpacks an archive with set-id files by the suggested rules, without their bits', async () => {
    const from = workspaceFolder('archive')
    folders.push(from)
    writeFileSync(path.join(from, 'tool'), 'x')
    chmodSync(path.join(from, 'tool'), 0o6755)
    execFileSync('tar', ['-czf', path.join(root, 'a.tgz'), '-C', from, 'tool'])
    const first = wordsIn(knownPrograms.find(({ name }) => name === 'tar')?.first ?? null)
    const argv = ['/usr/bin/tar', ...first, '-xzf', 'a.tgz'] as const
    expect(await execIn({ root, argv: [...argv] })).toMatchObject({ exitCode: 0, output: '' })
    expect(lstatSync(path.join(root, 'tool')).mode & 0o7777).toBe(0o755)
    // With the bits, it says that it may not.
    const kept = await execIn({ root, argv: ['/usr/bin/tar', '-xpzf', 'a.tgz'] })
    expect(kept.errors).toContain('not permitted')
    expect(withSetId(root)).toEqual([])
  })

  it.skipIf(!isRoot)('leaves no set-id file where the server is not root', async () => {
    const folder = workspaceFolder('nobody')
    folders.push(folder)
    chownSync(folder, nobodyId, nobodyId)
    const argv = ['/bin/sh', '-c', 'cp /usr/bin/id own; chmod 6755 own; stat -c %u own'] as const
    const { output, errors } = await execAsNobody({ root: folder, argv: [...argv] })
    expect([output, errors]).toEqual([`${nobodyId}\n`, expect.stringContaining('not permitted')])
    expect(lstatSync(path.join(folder, 'own')).uid).toBe(nobodyId)
    expect(withSetId(folder)).toEqual([])
  })
})

function withSetId(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) => (lstatSync(path.join(folder, name)).mode & 0o6000) !== 0,
  )
}

/** Returns a program of these instructions, which begin by moving numbers; the second is the place of the text "f". */
function smallProgram(code: string): Buffer {
  const start = 0x400000
  const bytes = Buffer.alloc(256)
  // A program for 64-bit x86, which is one piece of memory that is read and executed.
  Buffer.from('7f454c4602010100', 'hex').copy(bytes)
  bytes.writeUInt16LE(2, 16)
  bytes.writeUInt16LE(62, 18)
  bytes.writeUInt32LE(1, 20)
  bytes.writeBigUInt64LE(BigInt(start + 128), 24)
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(64, 52)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(1, 56)
  bytes.writeUInt32LE(1, 64)
  bytes.writeUInt32LE(5, 68)
  bytes.writeBigUInt64LE(BigInt(start), 80)
  bytes.writeBigUInt64LE(BigInt(start), 88)
  bytes.writeBigUInt64LE(256n, 96)
  bytes.writeBigUInt64LE(256n, 104)
  bytes.writeBigUInt64LE(4096n, 112)
  const instructions = Buffer.from(code, 'hex')
  instructions.writeUInt32LE(start + 240, 6)
  instructions.copy(bytes, 128)
  bytes.write('f\0', 240)
  return bytes
}
