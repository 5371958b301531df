import 'server-only'
import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import { carriedBy } from '@/lib/engines/runtime/earlier-turns'
import { dataRefusal } from '@/lib/engines/runtime/policy/sent-data'
import { untrustedReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { ToolMeta } from '@/lib/protocol/tool'
import { toRunEvent } from './run-record'
import { RunRequest } from './schemas'

/** An earlier turn with the id of its run. */
export type StoredTurn = EarlierTurn & { runId: string }

/** Turns that ended, which later turns begin with. They do not change, so that each is read once. */
export type TurnMemory = {
  find: (runId: string) => StoredTurn | undefined
  keep: (turn: StoredTurn) => void
}

/** The most characters of all turns in memory; of them, what people and models wrote. */
const mostKept = 4_000_000
/** The most turns of a conversation. */
const mostTurns = 200

/** Opens a memory that forgets the turns first that were asked for longest ago. */
export function openTurnMemory(most = mostKept): TurnMemory {
  const known = new Map<string, { turn: StoredTurn; size: number }>()
  let kept = 0
  const forget = (runId: string) => {
    kept -= known.get(runId)?.size ?? 0
    known.delete(runId)
  }
  return {
    find: (runId) => {
      const found = known.get(runId)
      if (!found) return undefined
      known.delete(runId)
      known.set(runId, found)
      return found.turn
    },
    keep: (turn) => {
      const size = sizeOf(turn.state)
      if (size > most / 4) return
      forget(turn.runId)
      known.set(turn.runId, { turn, size })
      kept += size
      for (const runId of known.keys()) {
        if (kept <= most) break
        forget(runId)
      }
    },
  }
}

/** Around what a turn keeps beside its texts. */
const usualSize = 4_000

function sizeOf({ start, rounds }: RunState): number {
  let size = usualSize + (start?.prompt.length ?? 0)
  for (const { text, reasoning, calls } of rounds) {
    size += text.length
    for (const block of reasoning) size += block.text.length
    for (const { argumentsText, state } of calls) {
      size += argumentsText.length
      if (state.type === 'ended' && state.outcome.type === 'ok')
        size += state.outcome.content.length
    }
  }
  return size
}

/** Returns the turns of a conversation up to this run, the oldest first. None without a run. */
export async function readTurns(
  client: Tx,
  memory: TurnMemory,
  runId: string | null | undefined,
): Promise<StoredTurn[]> {
  const turns: StoredTurn[] = []
  let next = runId ?? null
  while (next !== null && turns.length < mostTurns) {
    const turn = memory.find(next)
    if (!turn) break
    turns.push(turn)
    next = turn.state.start?.continues ?? null
  }
  if (next !== null && turns.length < mostTurns) {
    const read = await loadTurns(client, next)
    for (const turn of read) memory.keep(turn)
    turns.push(...read)
  }
  return turns.reverse()
}

/** Reads a run and the turns before it, the newest first. */
async function loadTurns(client: Tx, runId: string): Promise<StoredTurn[]> {
  const chain = await client.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE chain AS (
      SELECT id, "continues", 1 AS place FROM runs WHERE id = ${runId}::uuid
      UNION ALL
      SELECT r.id, r."continues", c.place + 1 FROM runs r JOIN chain c ON r.id = c."continues"
      WHERE c.place < ${mostTurns})
    SELECT id FROM chain ORDER BY place`
  const ids = chain.map(({ id }) => id)
  const rows = await client.run.findMany({
    where: { id: { in: ids } },
    select: { id: true, events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const natives = new Map(row.nativeAnswers.map(({ round, content }) => [round, content]))
    const state = foldRun(row.events.map(toRunEvent))
    return [{ runId: id, state, nativeOf: (round: number) => natives.get(round) ?? null }]
  })
}

/**
 * Returns the turns that a new run of the caller continues, the oldest first. Throws NotFoundError for a run of somebody else, as
 * for none, and ConflictError for one that has not ended.
 */
export async function requireTurns(
  client: Tx,
  ctx: Ctx,
  { memory, runId }: { memory: TurnMemory; runId: string },
): Promise<StoredTurn[]> {
  const run = await client.run.findFirst({
    where: { id: runId, userId: ctx.actor.userId },
    select: { status: true, source: true, request: true },
  })
  if (!run) throw new NotFoundError('The run to continue')
  if (run.status !== 'ended')
    throw new ConflictError(
      'The run to continue has not ended. Wait for its end, or stop it, and try again.',
    )
  if (run.source === 'try' || RunRequest.parse(run.request).kind !== 'prompt')
    throw new ValidationError({ continues: 'A run that tried a tool or a model has no next turn.' })
  const turns = await readTurns(client, memory, runId)
  if (turns.length >= mostTurns)
    throw new ValidationError({
      continues: `A conversation has at most ${mostTurns} turns. Start a new one.`,
    })
  return turns
}

/** Throws ValidationError when no provider of a configuration may get what the turns before carry (SPEC G, gate 7). */
export function refuseCarried(
  turns: readonly EarlierTurn[],
  { targets, raisedDataClass }: Pick<RunSnapshot, 'targets' | 'raisedDataClass'>,
): void {
  if (turns.length === 0) return
  const carried = carriedBy(turns, { prunedTurns: 0 })
  const refusals = targets.map((target) => dataRefusal(target, carried, raisedDataClass))
  const [refusal] = refusals
  if (refusal && !refusals.includes(null)) throw new ValidationError({ continues: refusal })
}

/** Returns which tools the turns before used whose results others can write. */
export function readsOf(
  turns: readonly EarlierTurn[],
  tools: ReadonlyMap<string, ToolMeta>,
): string[] {
  return [...new Set(turns.flatMap(({ state }) => untrustedReads(state, tools)))]
}
