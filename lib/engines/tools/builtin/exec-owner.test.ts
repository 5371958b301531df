import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { execAsNobody, nobodyId } from '@/tests/support/exec-elsewhere'
import { execIn } from '@/tests/support/exec-in'
import { giveToOwner, workspaceFolder, workspaceOwner } from '@/tests/support/workspace-folder'

const problem = await sandboxProblem()
const isRoot = process.getuid?.() === 0
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = workspaceFolder('owner')
  folders.push(folder)
  return folder
}
function ownedByNobody(): string {
  const folder = newFolder()
  chownSync(folder, nobodyId, nobodyId)
  return folder
}
const sh = (script: string) => ['/bin/sh', '-c', script] as const satisfies [string, ...string[]]

describe.skipIf(problem !== null || !isRoot)('a server that runs as root', () => {
  it('runs programs as the owner of the workspace, who can change what they leave', async () => {
    const root = newFolder()
    writeFileSync(path.join(root, 'of-the-owner'), 'old')
    giveToOwner(root)
    const { output, errors } = await execIn({
      root,
      argv: sh('id -u; id -g; id -G; echo new > of-the-owner; echo made > made'),
    })
    expect([output, errors]).toEqual(['4242\n4242\n4242\n', undefined])
    expect(lstatSync(path.join(root, 'made'))).toMatchObject({
      uid: workspaceOwner,
      gid: workspaceOwner,
    })
    expect(readFileSync(path.join(root, 'of-the-owner'), 'utf8')).toBe('new\n')
  })

  it('runs them also below a folder that only root may enter, with a further folder there', async () => {
    const closed = newFolder()
    chownSync(closed, 0, 0)
    chmodSync(closed, 0o700)
    const [root, more] = [path.join(closed, 'site'), path.join(closed, 'more')]
    for (const each of [root, more]) mkdirSync(each)
    writeFileSync(path.join(more, 'a.txt'), 'further')
    chownSync(root, workspaceOwner, workspaceOwner)
    const argv = sh(`cat ${more}/a.txt; echo x > ${more}/b.txt; ls ${closed}`)
    const { output, errors } = await execIn({ root, argv, over: { readable: [more] } })
    expect([output, errors]).toEqual(['furthermore\n', expect.stringContaining('Read-only')])
  })

  it('does not let them read files that their owner may not', async () => {
    const root = newFolder()
    writeFileSync(path.join(root, 'of-root'), 'secret', { mode: 0o600 })
    const { output } = await execIn({ root, argv: sh('cat of-root; chmod 644 of-root; id -u') })
    expect(output).toBe('4242\n')
    expect(lstatSync(path.join(root, 'of-root')).mode & 0o777).toBe(0o600)
  })

  it('runs none, in words without a path, where a secret lies in a folder that their owner may not enter', async () => {
    const root = newFolder()
    const closed = path.join(root, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    writeFileSync(path.join(closed, '.env'), 'secret')
    const refusal = execIn({ root, argv: sh('echo ran') })
    await expect(refusal).rejects.toThrow(/^No sandbox could be made for program in this workspace/)
    chownSync(closed, workspaceOwner, workspaceOwner)
    expect((await execIn({ root, argv: sh('cat closed/.env; echo ran') })).output).toBe('ran\n')
  })

  it('runs none in a folder of root, of its group, or of the user that PostgreSQL runs as', async () => {
    const root = newFolder()
    const argv = sh('id -u')
    for (const [uid, gid] of [
      [0, 0],
      [workspaceOwner, 0],
      [0, workspaceOwner],
    ] as const) {
      chownSync(root, uid, gid)
      const words = /belongs to root or its group\. .* chown -R USER: FOLDER$/
      await expect(execIn({ root, argv })).rejects.toThrow(words)
      await expect(execIn({ root, argv, isWritable: false })).rejects.toThrow(words)
    }
    const [, postgres] = /^postgres:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
    // The server makes this user where it runs its database as root.
    if (postgres === undefined) return
    chownSync(root, Number(postgres), Number(postgres))
    await expect(execIn({ root, argv })).rejects.toThrow('PostgreSQL')
  })

  it('runs one without a sandbox as itself, wherever that was accepted', async () => {
    const root = newFolder()
    chownSync(root, 0, 0)
    const answer = await execIn({ root, argv: sh('id -u'), over: { isBoxed: false } })
    expect(answer.output).toBe('0\n')
  })
})

/** This server, and one that does not run as root. Only root can start the second one. */
const servers = [
  { name: 'this server', run: execIn, folder: newFolder },
  ...(isRoot ? [{ name: 'one that is not root', run: execAsNobody, folder: ownedByNobody }] : []),
]

describe.skipIf(problem !== null).each(servers)('in $name, a program', ({ run, folder }) => {
  it('gets no descriptor of those that made its sandbox', async () => {
    const script =
      'for n in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && readlink /proc/$$/fd/$n; done; true'
    expect((await run({ root: folder(), argv: sh(script) })).output).toBe('')
  })

  it.skipIf(run === execIn)('gets no descriptor that the server was started with', async () => {
    // As scripts do that lock a file by it; Node lets no low ones through.
    const opens = 'use POSIX; open(F, "<", "/etc/passwd"); dup2(fileno(F), 200); exec @ARGV'
    const starter = ['/usr/bin/perl', '-e', opens]
    const argv = sh('readlink /proc/$$/fd/200; cat /proc/$$/fd/200')
    const { output } = await execAsNobody({ root: folder(), argv }, starter)
    expect(output).toBe('/dev/null\n')
  })

  it('is not told where the workspace is, but for the path on its disk in the list of mounts', async () => {
    const root = folder()
    // Into a file, so that no rule for secrets takes a path out of it.
    const script = `{ cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/mounts; env
      ls -l /proc/[0-9]*/cwd /proc/[0-9]*/exe /proc/[0-9]*/root /proc/[0-9]*/fd
      cut -d " " -f 5- /proc/self/mountinfo; } > told`
    await run({ root, argv: sh(script) })
    const written = readFileSync(path.join(root, 'told'), 'utf8')
    expect(written).toContain('bwrap')
    expect(written).not.toContain(path.basename(root))
  })

  it('reaches nothing by the path on the disk', async () => {
    const root = folder()
    symlinkSync(root, path.join(root, 'way'))
    const argv = sh(
      'for p in $(cut -d " " -f 4 /proc/self/mountinfo); do ls -d $p/../; done; ls way',
    )
    const { output } = await run({ root, argv })
    expect(
      output.split('\n').filter((line) => line.startsWith('/tmp/') || line.startsWith('/root')),
    ).toEqual([])
  })

  it('has at most 64 processes, whoever starts others without end', async () => {
    const script = 'i=0; while [ $i -lt 500 ]; do sleep 5 & i=$((i+1)); done; echo all'
    const started = await run({ root: folder(), argv: sh(script) })
    expect(started.output).not.toContain('all')
    expect(`${started.errors}${started.stopped}`).toMatch(/fork|processes/i)
  })
})
