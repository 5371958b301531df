import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, type TestContext, test } from 'vitest'
import { GET as askReady } from '@/app/api/ready/route'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/lib/installation/embedded-postgres'
import { migrate } from '@/lib/installation/migrate'
import { closeDb, db, pool } from '@/lib/kernel/db'
import { describeError } from '@/lib/kernel/describe-error'
import { startWorker, stopped, type Worker } from '@/tests/support/start-worker'
import { setEnv } from '@/tests/support/test-process'
import {
  isFullChaos,
  openWritingRuns,
  report,
  type WritingRun,
  type WritingRuns,
} from '@/tests/support/writing-runs'

// A PostgreSQL of its own, which is killed and whose disk is filled. With `npm run chaos`, its disk is a small tmpfs.

const diskMiB = 512
const activeRuns = isFullChaos ? 16 : 4

let folder: string
let disk: 'tmpfs' | 'folder' = 'folder'
let postgres: EmbeddedPostgres
let writing: WritingRuns
let workers: Worker[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-chaos-'))
  await chmod(folder, 0o755)
  const size = ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'toolgate-chaos', folder]
  if (isFullChaos && spawnSync('mount', size).status === 0) disk = 'tmpfs'
  postgres = await startEmbeddedPostgres(folder, { max_connections: '100' })
  await closeDb()
  setEnv({ DATABASE_URL: postgres.urlOf('postgres') })
  await migrate(postgres.urlOf('postgres'))
  writing = await openWritingRuns()
})

afterEach(async () => {
  await Promise.all(workers.splice(0).map(stopped))
})

afterAll(async () => {
  await writing?.close()
  await closeDb()
  await postgres?.release()
  if (disk === 'tmpfs') spawnSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
})

const startWorkers = async (env: Record<string, string> = {}) => {
  workers = await Promise.all([1, 2].map(() => startWorker({ times: 'production', env })))
}
const startRuns = () => Promise.all(Array.from({ length: activeRuns }, () => writing.startOne()))

/** Says in the table of `npm run chaos` what this machine lacks. */
function notTried(context: TestContext, missing: string): void {
  context.task.meta.missing = missing
  context.skip(missing)
}

async function expectAllWhole(runs: WritingRun[], what: string): Promise<void> {
  await writing.untilEnded(runs)
  const unknown = await writing.expectWhole(runs)
  report(
    `${what}: ${runs.length} runs, 0 lost, 0 doubled, 0 events missing; ${unknown} writes of unknown outcome`,
  )
}

const postmaster = async () => {
  const { rows } = await pool().query(
    `SELECT current_setting('data_directory') AS folder, pg_postmaster_start_time()::text AS began`,
  )
  const file = path.join(rows[0].folder, 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8')).split('\n')[0])
  return { pid, began: rows[0].began, settings: path.join(rows[0].folder, 'postgresql.conf') }
}

/** Kills PostgreSQL, and lets it start again after so many ms. Returns after how many ms it answered. */
async function killPostgres(awayMs: number): Promise<number> {
  const { pid, began, settings } = await postmaster()
  if (awayMs > 0) await rename(settings, `${settings}.away`)
  process.kill(pid, 'SIGKILL')
  const killedAt = Date.now()
  if (awayMs > 0) {
    await wait(awayMs)
    const error: unknown = await writing.startOne().catch((thrown: unknown) => thrown)
    expect(describeError(error, 'test').status).toBe(503)
    expect((await askReady()).status).toBe(503)
    await rename(`${settings}.away`, settings)
  }
  for (const deadline = killedAt + awayMs + 60_000; Date.now() < deadline; await wait(50)) {
    const now = await postmaster().catch(() => null)
    if (now && now.began !== began) return Date.now() - killedAt
  }
  throw new Error('PostgreSQL did not start again.')
}

/** Longer than a process may be silent, so that all of them could look dead to each other. */
const longOutageMs = 8_000

test('runs go on in their servers after PostgreSQL was killed with kill -9 and started again', async () => {
  await startWorkers()
  const runs: WritingRun[] = []
  const away: number[] = []
  for (const awayMs of isFullChaos ? [0, 0, longOutageMs] : [0]) {
    runs.push(...(await startRuns()))
    await wait(300)
    const before = await writing.findActive(runs)
    expect(before.length).toBeGreaterThan(0)
    away.push(await killPostgres(awayMs))
    // No server takes what others have: they were only out of reach.
    await wait(2_000)
    const after = await db().run.findMany({ where: { id: { in: before.map(({ id }) => id) } } })
    const owners = new Map(after.map(({ id, instanceId }) => [id, instanceId]))
    for (const { id, instanceId } of before) {
      if (instanceId) expect(owners.get(id)).toBe(instanceId)
    }
  }
  await expectAllWhole(runs, `PostgreSQL killed, away for ${away.join(', ')} ms`)
}, 180_000)

test.skipIf(!isFullChaos)(
  'runs wait out a full disk, which answers 507 and is not ready',
  async (context) => {
    if (disk !== 'tmpfs') return notTried(context, 'A tmpfs needs root: run it as root.')
    await startWorkers()
    const runs = [...(await startRuns()), await writing.startLong(), await writing.startLong()]
    const ballast = path.join(folder, 'ballast')
    await fillDisk(ballast)
    const filledAt = Date.now()
    let refused: unknown = null
    for (let tries = 0; tries < 500 && refused === null; tries++) {
      await writing.startOne().then(
        (run) => runs.push(run),
        (error: unknown) => {
          refused = error
        },
      )
    }
    expect(describeError(refused, 'test')).toMatchObject({ code: 'disk-full', status: 507 })
    const answer = await askReady()
    expect(answer.status).toBe(503)
    expect((await answer.json()).checks.database).toBe('full')
    await wait(8_000)
    const waiting = (await writing.findActive(runs)).length
    expect(waiting).toBeGreaterThan(0)
    rmSync(ballast)
    const what = `A disk that was full for ${Date.now() - filledAt} ms, with ${waiting} runs that waited`
    await expectAllWhole(runs, what)
    const { checks } = await (await askReady()).json()
    expect(checks.database).toBe('ok')
  },
  240_000,
)

/** Leaves no block of the disk free. */
async function fillDisk(file: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const block = Buffer.alloc(bsize)
  await writeFile(file, Buffer.alloc(Math.max(0, bavail - 16) * bsize)).catch(() => undefined)
  for (;;) {
    try {
      await writeFile(file, block, { flag: 'a' })
    } catch {
      return
    }
  }
}

/** Returns the library that fakes the time of a program; undefined = it is not installed. */
function findFakeTime(): string | undefined {
  const folders = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime']
  for (const place of folders) {
    try {
      const name = readdirSync(place).find((each) => each.startsWith('libfaketimeMT.so'))
      if (name) return path.join(place, name)
    } catch {
      // Another machine.
    }
  }
  return undefined
}

test.skipIf(!isFullChaos)(
  'runs go on when the clocks of servers jump',
  async (context) => {
    const library = findFakeTime()
    if (!library) {
      return notTried(context, 'libfaketime is missing: apt-get install libfaketime.')
    }
    const clock = path.join(folder, 'clock')
    await writeFile(clock, '+0')
    const faked = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    await startWorkers(faked)
    const runs = await startRuns()
    const seen: number[] = []
    for (const jump of ['+120', '-3600', '+0']) {
      await writeFile(clock, jump)
      await wait(1_500)
      runs.push(...(await startRuns()))
      await wait(500)
      const env = { ...process.env, ...faked }
      const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], {
        env,
        encoding: 'utf8',
      })
      seen.push(Math.round((Number(stdout) - Date.now()) / 1_000))
    }
    const offsets = [expect.closeTo(120, -1), expect.closeTo(-3600, -1), expect.closeTo(0, -1)]
    expect(seen, 'the clocks did jump').toEqual(offsets)
    await expectAllWhole(runs, `Clocks that jumped by ${seen.join(', ')} s`)
    const { rows } = await pool().query(
      `SELECT count(*)::int AS n FROM (
        SELECT at < lag(at) OVER (PARTITION BY "runId" ORDER BY seq) AS "isBefore" FROM run_events) e WHERE "isBefore"
      UNION ALL SELECT count(*)::int FROM runs WHERE "endedAt" < "createdAt" OR "durationMs" > 60000
      UNION ALL SELECT count(*)::int FROM run_events
        WHERE abs(extract(epoch FROM at - now() AT TIME ZONE 'UTC')) > 100`,
    )
    expect(rows).toEqual([{ n: 0 }, { n: 0 }, { n: 0 }])
  },
  180_000,
)
