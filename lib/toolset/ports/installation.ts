import 'server-only'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { nextTimes } from '@/lib/domains/schedules/shared/cron'
import { cronWords } from '@/lib/domains/schedules/shared/cron-words'
import type {
  InstallationResources,
  LoggedException,
  PackageLine,
  ScheduleLine,
} from '@/lib/engines/tools/installation-resources'
import type { Tx } from '@/lib/kernel/db'
import { flushLog } from '@/lib/kernel/log'
import { ownProgram } from '@/lib/kernel/own-program'
import { accountFacts } from './account-facts'
import { systemStatus } from './system-status'

const mostListed = 100

/** Returns what tools may know of how this installation does. Limits are also capped here. */
export function installationResources(tx: Tx): InstallationResources {
  return {
    lastException: (incidentId) => lastException(tx, incidentId),
    schedules: (limit) => listSchedules(tx, Math.min(limit, mostListed)),
    packages: readPackages,
    status: (signal) => systemStatus(tx, signal),
    accountFacts: (limit) => accountFacts(tx, Math.min(limit, mostListed)),
  }
}

/** Stored form of an exception in the log. */
const Exception = z.object({
  type: z.string().catch('Error'),
  message: z.string(),
  stack: z.string().catch(''),
})

/** Fields in which entries of the log have an exception, or its text. The first of them counts. */
const places = [['err'], ['detail', 'error'], ['detail'], ['error'], ['reason'], ['trouble']]

async function lastException(tx: Tx, incidentId: string | null): Promise<LoggedException | null> {
  // Recent log lines of this process may still wait for their batch.
  await flushLog()
  const row = await tx.logEntry.findFirst({
    where: { level: 'error', ...(incidentId !== null && { incidentId }) },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
  })
  if (!row) return null
  const { source, message } = row
  const texts = places.map((place) => `{${place.join()}}`)
  const [same] = await tx.$queryRaw<{ count: number }[]>`
    WITH alike AS (
      SELECT id, at, (
        SELECT CASE WHEN jsonb_typeof(thrown) = 'object' AND thrown ? 'message'
          THEN jsonb_build_array(thrown -> 'type', thrown -> 'message') ELSE thrown END
        FROM unnest(${texts}::text[]) WITH ORDINALITY AS place (path, number),
          LATERAL (SELECT payload #> path::text[] AS thrown) AS found
        WHERE thrown IS NOT NULL ORDER BY number LIMIT 1
      ) AS thrown
      FROM log_entries WHERE level = 'error' AND source = ${source} AND message = ${message}
    )
    SELECT count(*)::int AS count FROM alike
    WHERE at > now() AT TIME ZONE 'UTC' - interval '24 hours'
      AND thrown IS NOT DISTINCT FROM (SELECT thrown FROM alike WHERE id = ${row.id}::uuid)`
  return {
    source,
    message,
    error: thrownIn(row.payload),
    incidentId: row.incidentId,
    at: row.at.toISOString(),
    sameIn24Hours: same?.count ?? 0,
    folder: process.cwd(),
  }
}

/** Returns what a payload says was thrown; all of it where it names nothing of this kind; null = it is empty. */
function thrownIn(payload: unknown): LoggedException['error'] {
  if (payload === null) return null
  const thrown = places.map((place) => place.reduce(memberOf, payload)).find((each) => each != null)
  const value = thrown ?? payload
  const exception = Exception.safeParse(value)
  if (exception.success) return exception.data
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const [, type = 'Error', message = text] =
    /^(\w*(?:Error|Exception)): ([\s\S]*)$/.exec(text) ?? []
  const [words = '', ...frames] = message.split(/\n(?= {4}at )/)
  return { type, message: words, stack: frames.join('\n') }
}

function memberOf(value: unknown, name: string): unknown {
  return z.record(z.string(), z.unknown()).safeParse(value).data?.[name]
}

async function listSchedules(
  tx: Tx,
  limit: number,
): Promise<{ total: number; schedules: ScheduleLine[] }> {
  const [total, rows] = await Promise.all([
    tx.schedule.count(),
    tx.schedule.findMany({
      orderBy: { name: 'asc' },
      take: limit,
      select: {
        name: true,
        cron: true,
        timeZone: true,
        enabled: true,
        configuration: { select: { name: true } },
        task: { select: { name: true } },
        starts: {
          orderBy: { at: 'desc' },
          take: 1,
          select: {
            at: true,
            refusal: true,
            run: { select: { status: true, endReason: true } },
            panelId: true,
          },
        },
      },
    }),
  ])
  const now = new Date()
  const schedules = rows.map(({ starts: [last], task, configuration, ...schedule }) => {
    const [next] = schedule.enabled ? nextTimes(schedule, now, 1) : []
    return {
      ...schedule,
      words: cronWords(schedule.cron),
      next: next?.toISOString() ?? null,
      task: task?.name ?? null,
      configuration: configuration?.name ?? null,
      lastStart: last ? { at: last.at.toISOString(), outcome: outcomeOf(last) } : null,
    }
  })
  return { total, schedules }
}

type Start = {
  refusal: string
  run: { status: string; endReason: string | null } | null
  panelId: string | null
}

function outcomeOf({ refusal, run, panelId }: Start): string {
  if (refusal !== '') return `No run began: ${refusal}`
  if (panelId !== null) return `The panel ${panelId} began.`
  if (run === null) return 'Its run was deleted.'
  return run.status === 'ended'
    ? `Its run ended: ${run.endReason ?? 'unknown'}.`
    : 'Its run is active.'
}

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().default(''),
      license: z.string().catch('not stated'),
      dev: z.boolean().default(false),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
})

const modules = 'node_modules/'

/** Returns the packages of the lockfile beside the server, without those of development and of other systems. */
async function readPackages(): Promise<PackageLine[] | null> {
  const file = path.join(ownProgram(), 'package-lock.json')
  const text = await readFile(file, 'utf8').catch(() => null)
  const lockfile = text === null ? null : Lockfile.safeParse(JSON.parse(text)).data
  if (!lockfile) return null
  const lines = new Map<string, PackageLine>()
  for (const [place, { version, license: licence, dev, os, cpu }] of Object.entries(
    lockfile.packages,
  )) {
    const isOurs = isFor(os, process.platform) && isFor(cpu, process.arch)
    if (!place.includes(modules) || dev || !isOurs) continue
    const name = place.slice(place.lastIndexOf(modules) + modules.length)
    lines.set(`${name} ${version}`, { name, version, licence })
  }
  return [...lines.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, line]) => line)
}

function isFor(systems: readonly string[] | undefined, own: string): boolean {
  if (!systems) return true
  const refused = systems.filter((each) => each.startsWith('!'))
  if (refused.includes(`!${own}`)) return false
  return refused.length === systems.length || systems.includes(own)
}
