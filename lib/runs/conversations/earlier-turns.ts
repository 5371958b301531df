import 'server-only'
import { isLimitedKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import { carriedBy } from '@/lib/engines/runtime/earlier-turns'
import { dataRefusal } from '@/lib/engines/runtime/policy/sent-data'
import { untrustedReads } from '@/lib/engines/runtime/policy/untrusted-reads'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { boundedCost } from '@/lib/protocol/cost/cost'
import type { CostBefore } from '@/lib/protocol/cost/money'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ToolMeta } from '@/lib/protocol/tool'
import { toRunEvent } from '@/lib/runs/run-record'
import { RunRequest } from '@/lib/runs/schemas'
import { formatCostMicroUsd } from '@/lib/words/format'

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
  if (!runId) return []
  return (await readTurnsOf(client, memory, [runId])).get(runId) ?? []
}

/** Returns what `readTurns` does for each of these runs. */
export async function readTurnsOf(
  client: Tx,
  memory: TurnMemory,
  runIds: readonly string[],
): Promise<Map<string, StoredTurn[]>> {
  const parts = runIds.map((runId) => turnsInMemory(memory, runId))
  const missing = new Set(parts.flatMap(({ next }) => next ?? []))
  const loaded = missing.size === 0 ? null : await loadTurns(client, memory, [...missing])
  return new Map(
    parts.map(({ runId, turns, next }) => [
      runId,
      [...turns, ...((next !== null && loaded?.get(next)) || [])].reverse(),
    ]),
  )
}

/** Returns the newest turns of a conversation that are in memory, and the one before them; null: it has no more. */
function turnsInMemory(memory: TurnMemory, runId: string) {
  const turns: StoredTurn[] = []
  let next: string | null = runId
  while (next !== null && turns.length < mostTurns) {
    const turn = memory.find(next)
    if (!turn) return { runId, turns, next }
    turns.push(turn)
    next = turn.state.start?.continues ?? null
  }
  return { runId, turns, next: null }
}

/** Returns each of these runs and the turns before it, the newest first. Those that are not in memory are read, and kept there. */
async function loadTurns(
  client: Tx,
  memory: TurnMemory,
  runIds: readonly string[],
): Promise<Map<string, StoredTurn[]>> {
  const places = await client.$queryRaw<{ last: string; id: string }[]>`
    WITH RECURSIVE chain AS (
      SELECT id AS last, id, "continues", 1 AS place FROM runs WHERE id = ANY(${runIds}::uuid[])
      UNION ALL
      SELECT c.last, r.id, r."continues", c.place + 1 FROM runs r JOIN chain c ON r.id = c."continues"
      WHERE c.place < ${mostTurns})
    SELECT last, id FROM chain ORDER BY last, place`
  const known = new Map<string, StoredTurn>()
  for (const { id } of places) {
    const turn = memory.find(id)
    if (turn) known.set(id, turn)
  }
  const missing = new Set(places.flatMap(({ id }) => (known.has(id) ? [] : [id])))
  const rows = await client.run.findMany({
    where: { id: { in: [...missing] } },
    select: { id: true, events: { orderBy: { seq: 'asc' } }, nativeAnswers: true },
  })
  for (const { id, events, nativeAnswers } of rows) {
    const natives = new Map(nativeAnswers.map(({ round, content }) => [round, content]))
    const nativeOf = (round: number) => natives.get(round) ?? null
    const turn = { runId: id, state: foldRun(events.map(toRunEvent)), nativeOf }
    memory.keep(turn)
    known.set(id, turn)
  }
  const chains = new Map<string, StoredTurn[]>(runIds.map((runId) => [runId, []]))
  for (const { last, id } of places) {
    const turn = known.get(id)
    if (turn) chains.get(last)?.push(turn)
  }
  return chains
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
  // A turn in memory has ended, and its owner is known.
  const isKnown = !isLimitedKey(ctx) && isTurnOf(ctx, memory.find(runId))
  if (!isKnown) await requireTurn(client, ctx, runId)
  const turns = await readTurns(client, memory, runId)
  // Its prompt has the words of another run, whose data classes it does not keep.
  if (turns.at(-1)?.state.start?.judges)
    throw new ValidationError({
      continues: 'It judged a run of a check. Continue that run instead.',
    })
  if (turns.length >= mostTurns)
    throw new ValidationError({
      continues: `A conversation has at most ${mostTurns} turns. Start a new one.`,
    })
  if (isLimitedKey(ctx)) await requireWithinKey(client, ctx, turns)
  return turns
}

/** Throws NotFoundError when a turn lies beyond the limits of the caller's key: the new run would get what was said there. */
async function requireWithinKey(client: Tx, ctx: Ctx, turns: readonly StoredTurn[]): Promise<void> {
  const ids = turns.map(({ runId }) => runId)
  const within = await client.run.count({
    where: { AND: [{ id: { in: ids } }, runsWithinKey(ctx)] },
  })
  if (within < ids.length) throw new NotFoundError('The run to continue')
}

function isTurnOf({ actor }: Ctx, turn: StoredTurn | undefined): boolean {
  const start = turn?.state.start
  if (!start || start.actor.userId !== actor.userId) return false
  // A test of a model has no configuration.
  return !start.snapshot.isTry && start.snapshot.configurationId !== null
}

async function requireTurn(client: Tx, ctx: Ctx, runId: string): Promise<void> {
  const run = await client.run.findFirst({
    where: { AND: [{ id: runId, userId: ctx.actor.userId }, runsWithinKey(ctx)] },
    select: { status: true, source: true, request: true },
  })
  if (!run) throw new NotFoundError('The run to continue')
  if (run.status !== 'ended')
    throw new ConflictError(
      'The run to continue has not ended. Wait for its end, or stop it, and try again.',
    )
  if (run.source === 'try' || RunRequest.parse(run.request).kind !== 'prompt')
    throw new ValidationError({ continues: 'A run that tried a tool or a model has no next turn.' })
}

/** Throws ValidationError when no provider of a configuration may get what the turns before carry (SPEC G7). */
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

/** Throws ValidationError when a cap that is enforced leaves nothing for a further turn, or cannot be checked. */
export function refuseCostly(
  { microUsd, bound }: CostBefore,
  { costCaps }: Pick<RunSnapshot, 'costCaps'>,
): void {
  const cap = costCaps
    .filter(({ mode }) => mode === 'enforce')
    .find(({ limitMicroUsd }) => microUsd === null || microUsd >= limitMicroUsd)
  if (!cap) return
  const limit = `the cost cap of ${formatCostMicroUsd(cap.limitMicroUsd)}`
  throw new ValidationError({
    continues:
      microUsd === null
        ? `The cost of this conversation is unknown, so ${limit} cannot be checked. Start a new conversation, or set the cap to warn only.`
        : `This conversation has cost ${boundedCost(microUsd, bound)} and reached ${limit}. Start a new conversation, or raise the cap.`,
  })
}

/** Returns which tools the turns before used whose results others can write. */
export function readsOf(
  turns: readonly EarlierTurn[],
  tools: ReadonlyMap<string, ToolMeta>,
): string[] {
  return [...new Set(turns.flatMap(({ state }) => untrustedReads(state, tools)))]
}
