import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { freePort } from '@/lib/installation/embedded-postgres'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { tooCostly } from '@/tests/support/measure-server'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { startTestEngine } from '@/tests/support/test-engine'
import { workspaceFolder } from '@/tests/support/workspace-folder'

/** `npm run proof` tries all of it at the built server, and measures what each costs. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const patienceMs = full ? 900_000 : 120_000

/** Numbers of mmap, madvise, read and memfd_create. */
const calls = process.arch === 'arm64' ? '222, 233, 63, 279' : '9, 28, 0, 319'
const perl = (script: string) =>
  `perl -e 'my ($mmap, $madvise, $read, $memfd) = (${calls}); open(my $zero, "<", "/dev/zero"); ${script}'`
const size = 32 * 1024 * 1024

/** Attacks of a hostile program on a server, and the end of each. */
const floods: Record<string, { script: string; ends: RegExp }> = {
  'output without end': { script: 'yes', ends: /wrote more than 1 MiB/ },
  ...(full && {
    'a gigabyte of output': {
      script: 'head -c 1000000000 /dev/zero',
      ends: /wrote more than 1 MiB/,
    },
    'processes that start others without end': {
      script: 'bomb() { bomb | bomb & }; bomb; sleep 30',
      ends: /longer than 5 s|processor time|processes/,
    },
    'memory without end': {
      script: 'perl -e \'my @x; push @x, "a" x (1024*1024) while 1\'',
      ends: /256 MiB of memory/,
    },
    'work without end on all cores': {
      script: 'for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait',
      ends: /processor time|longer than 5 s/,
    },
    'files in memory that have no name': {
      script: perl(
        'while (1) { my $fd = syscall($memfd, my $name = "x", 0); die "refused" if $fd < 0; ' +
          'open(my $file, ">&=", $fd); syswrite($file, "a" x 1048576) for 1 .. 100; push @kept, $file }',
      ),
      ends: /256 MiB of memory|refused/,
    },
    'shared memory that no process has resident': {
      script: perl(
        `while (1) { my $at = syscall($mmap, 0, ${size}, 3, 33, -1, 0); ` +
          `syscall($read, fileno($zero), $at, ${size}); syscall($madvise, $at, ${size}, 4) }`,
      ),
      ends: /256 MiB of memory/,
    },
    'files without end': {
      script: 'i=0; while :; do head -c 30000000 /dev/zero > "$i"; i=$((i+1)); done',
      ends: /a call may add 128 MiB/,
    },
    'an archive that unpacks to much': {
      script:
        'head -c 100000000 /dev/zero | gzip > a.gz; for i in 1 2 3 4; do gunzip -c a.gz > "$i"; done; sleep 9',
      ends: /a call may add 128 MiB/,
    },
    'files that were deleted and are open': {
      script: 'exec 5>gone; rm gone; head -c 250000000 /dev/zero >&5; sleep 9',
      ends: /a call may add 128 MiB/,
    },
    'empty files without end': {
      script: 'i=0; while :; do : > "$i"; i=$((i+1)); done',
      ends: /processor time|longer than 5 s|more files/,
    },
    'a folder in memory that is filled': {
      script:
        'while :; do head -c 300000000 /dev/zero > /tmp/large; head -c 300000000 /dev/zero > /dev/shm/large; done',
      ends: /processor time|longer than 5 s|256 MiB of memory/,
    },
    'a process that ignores every signal': {
      script: 'trap "" TERM INT HUP QUIT; while :; do sleep 1; done',
      ends: /longer than 5 s/,
    },
  }),
}

let model: ModelServer
let site: RunSite
let folder: string
let before: string[]
let engine: Engine | undefined
let server: StandaloneServer | undefined

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(model.url)
  folder = workspaceFolder('floods')
  await workspaceVerbs.create(site.admin, { name: 'handbook', folder, writable: true })
  const limits = { seconds: 5, memory: 256, accepted: 'A machine without a sandbox skips this.' }
  await programVerbs.create(site.admin, { name: 'sh', path: '/bin/sh', ...limits })
  await switchTool(site.admin, { name: 'exec', enabled: true, reason: 'a test' })
  await needsNoApproval('exec')
  await updateSettings(site.admin, { programDisk: 128 })
  if (full) server = await startStandaloneServer(await freePort(0), {})
  else engine = await startTestEngine()
  before = temporaryFiles()
}, patienceMs)
afterAll(async () => {
  await server?.stop()
  await engine?.close()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Marks the command lines of what runs here. */
const mark = `flood-${process.pid}`

/** Returns the processes, control groups and temporary files that a command left. */
function leftBehind(): string[] {
  const commands = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => textOf(`/proc/${name}/cmdline`).includes(mark) || isIn(`/proc/${name}`))
  const groups = ['pids', 'memory', ''].flatMap((name) => namesIn(`/sys/fs/cgroup/${name}`))
  const ours = [process.pid, server?.process.pid].map((pid) => `toolgate-${pid}-`)
  return [
    ...commands,
    ...groups.filter((name) => ours.some((prefix) => name.startsWith(prefix))),
    ...temporaryFiles().filter((name) => !before.includes(name)),
  ]
}

/** Returns temporary files but those that stay until the server ends. In the proof alone, since other tests run beside this one. */
function temporaryFiles(): string[] {
  return full ? namesIn(tmpdir()).filter((name) => !name.startsWith('toolgate-stand-ins-')) : []
}

/** Returns whether a process stands in the workspace. */
function isIn(place: string): boolean {
  try {
    return statSync(`${place}/cwd`).ino === statSync(folder).ino
  } catch {
    return false
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(place: string): string[] {
  return existsSync(place) ? readdirSync(place) : []
}

/** Lets a model run a script, and looks whether it ends with what was too much. */
async function flood(script: string, ends: RegExp): Promise<void> {
  const input = { workspace: 'handbook', program: 'sh', arguments: ['-c', `: ${mark}; ${script}`] }
  const prompt = `[[call exec ${JSON.stringify(input)}]] [[then]] [[say: done]]`
  const { runId } = await start(site, prompt)
  const events = await collect(site.admin, runId)
  const state = foldRun(events)
  expect([state.end?.reason, state.rounds.at(-1)?.text]).toEqual(['completed', 'done'])
  const ended = state.rounds[0]?.calls[0]?.state
  if (ended?.type !== 'ended') throw new Error('The call did not end.')
  expect(JSON.stringify(ended.outcome)).toMatch(ends)
  // Text that was shown while it ran is not stored.
  expect(JSON.stringify(eventsIn(events)).length).toBeLessThan(300_000)
  await vi.waitFor(() => expect(leftBehind()).toEqual([]), 10_000)
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { force: true })
}

test.skipIf((await sandboxProblem()) !== null)(
  'what a program does without end is ended in words, and costs nobody else anything',
  async () => {
    if (!server) {
      for (const { script, ends } of Object.values(floods)) await flood(script, ends)
      return
    }
    // Modules that the first command loads stay.
    await flood('yes', /wrote more than/)
    const attacks = Object.entries(floods).map(([name, { script, ends }]) => ({
      name,
      run: () => flood(script, ends),
    }))
    expect(await tooCostly(server, attacks)).toEqual([])
  },
  patienceMs,
)
