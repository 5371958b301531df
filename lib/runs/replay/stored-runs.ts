import 'server-only'
import { z } from 'zod'
import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import type { RecordedRun } from '@/lib/engines/runtime/replay/recording'
import type { RunEventRow } from '@/lib/generated/prisma/client'
import { database, type Tx } from '@/lib/kernel/db'
import type { RunEvent, RunEventOf } from '@/lib/protocol/run/run-event'
import { readTurnsOf, type TurnMemory } from '@/lib/runs/conversations/earlier-turns'
import { toRunEvent } from '@/lib/runs/run-record'
import { RunRequest } from '@/lib/runs/schemas'

/** A run as it began, with what is stored beside its journal. */
export type BegunRun = {
  start: RunEventOf<'run-start'>['data']
  request: RunRequest
  apiKeyId: string | null
}

/** A run with all that a replay needs of it but the policy. */
export type StoredRun = BegunRun & {
  runId: string
  userId: string
  createdAt: Date
  recorded: RecordedRun & { earlier: readonly EarlierTurn[] }
}

/** A run that nobody can replay, with the reason as a sentence. */
export type Unreplayable = { runId: string; why: string }

/** Bytes of the journals and the answers as providers wrote them, as text, by run. */
export type Sizes = ReadonlyMap<string, number>

type Reading = { turns: TurnMemory; sizes: Sizes; mostBytes: number }

const tooLong = 'Its journal is too long to replay.'

/**
 * Reads runs in the order of their ids. Those that have more than `mostBytes` are not read. A run that does not exist is left out.
 */
export async function readStoredRuns(
  tx: Tx,
  ids: readonly string[],
  { turns, sizes, mostBytes }: Reading,
): Promise<(StoredRun | Unreplayable)[]> {
  const short = ids.filter((id) => (sizes.get(id) ?? 0) <= mostBytes)
  const [rows, journals, natives] = await Promise.all([
    tx.run.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, userId: true, apiKeyId: true, createdAt: true, request: true },
    }),
    readJournals(short),
    tx.nativeAnswer.findMany({ where: { runId: { in: short } } }),
  ])
  const answers = new Map(natives.map((row) => [`${row.runId} ${row.round}`, row.content]))
  const continued = [...journals.values()].flatMap((events) => startOf(events)?.continues ?? [])
  const earlier = await readTurnsOf(tx, turns, continued)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((runId): (StoredRun | Unreplayable)[] => {
    const row = byId.get(runId)
    if (!row) return []
    const events = journals.get(runId) ?? []
    const request = RunRequest.parse(row.request)
    const start = startOf(events)
    const why = short.includes(runId) ? obstacleOf(events, request) : tooLong
    if (!start || why !== null) return [{ runId, why: why ?? 'Its journal has no beginning.' }]
    const nativeOf = (round: number) => answers.get(`${runId} ${round}`) ?? null
    const { userId, apiKeyId, createdAt } = row
    const recorded = { runId, events, nativeOf, earlier: earlier.get(start.continues ?? '') ?? [] }
    return [{ runId, userId, apiKeyId, createdAt, start, request, recorded }]
  })
}

/** Parts of a list of runs, each of which is read at once. Runs that are not read, because they are too long, take no room in one. */
export function portionsOf(
  ids: readonly string[],
  { sizes, mostBytes }: Pick<Reading, 'sizes' | 'mostBytes'>,
): string[][] {
  const portions: string[][] = []
  let room = 0
  for (const id of ids) {
    const size = sizes.get(id) ?? 0
    const needed = size > mostBytes ? 0 : size
    const last = portions.at(-1)
    if (last && needed <= room) last.push(id)
    else portions.push([id])
    room = (last && needed <= room ? room : mostBytes) - needed
  }
  return portions
}

export function isReplayable(run: StoredRun | Unreplayable): run is StoredRun {
  return 'recorded' in run
}

function startOf([first]: readonly RunEvent[]) {
  return first?.type === 'run-start' ? first.data : null
}

/** Returns why a run cannot be replayed; null = it can. */
function obstacleOf(events: readonly RunEvent[], { kind }: RunRequest): string | null {
  if (kind === 'model-test') return 'It tests a model, which no policy decides.'
  if (!events.some(({ type }) => type === 'run-end')) return 'The run has not ended.'
  const hasGap = events.some(
    ({ type, data }) => type === 'warning' && data.code === 'database-went-back',
  )
  return hasGap ? 'The database was restored while it ran, so its journal has a gap.' : null
}

export async function readSizes(tx: Tx, ids: readonly string[]): Promise<Sizes> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT "runId", sum(bytes)::float8 AS bytes FROM (
      SELECT "runId", octet_length(data::text) AS bytes FROM run_events WHERE "runId" = ANY(${ids}::uuid[])
      UNION ALL
      SELECT "runId", octet_length(content) FROM native_answers WHERE "runId" = ANY(${ids}::uuid[])) parts
    GROUP BY "runId"`
  const sizes = z.array(z.object({ runId: z.string(), bytes: z.number() })).parse(rows)
  return new Map(sizes.map(({ runId, bytes }) => [runId, bytes]))
}

/** Returns the journals. They are long, so that nothing stands between them and the driver. */
async function readJournals(ids: readonly string[]): Promise<Map<string, RunEvent[]>> {
  const { rows } = await database().pool.query<RunEventRow>(
    `SELECT "runId", seq, type, data, at AT TIME ZONE 'UTC' AS at
     FROM run_events WHERE "runId" = ANY($1::uuid[]) ORDER BY "runId", seq`,
    [ids],
  )
  const journals = new Map<string, RunEvent[]>()
  for (const row of rows) {
    const journal = journals.get(row.runId)
    if (journal) journal.push(toRunEvent(row))
    else journals.set(row.runId, [toRunEvent(row)])
  }
  return journals
}
