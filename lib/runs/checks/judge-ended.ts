import 'server-only'
import type { CheckResult } from '@/lib/generated/prisma/client'
import { type Database, unaudited } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { addCost } from '@/lib/protocol/cost/cost'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { readJournal } from '@/lib/runs/read-run'
import { beginJudge } from './begin-judge'
import { type AskedJudge, judgeTry, type TryStep } from './judge-try'

/**
 * Judges the tries of a run of checks whose runs have ended or are gone, and asks their judges. Two processes that do so store the same.
 */
export async function judgeEnded(engine: Engine, checkRunId: string): Promise<void> {
  const open = await engine.database.client.checkResult.findMany({
    where: { checkRunId, verdict: null, runId: { not: null } },
  })
  for (const { runId, ...result } of open)
    if (runId !== null) await judgeResult(engine, { ...result, runId })
}

type Result = CheckResult & { runId: string }
type Ended = { costMicroUsd: bigint | null; durationMs: number | null }

/** Asks one judge after the other, until one works or there is a verdict. */
async function judgeResult(engine: Engine, result: Result): Promise<void> {
  const { database } = engine
  const { id, runId } = result
  const run = (await readRuns(database, [runId])).get(runId)
  if (run && run.status !== 'ended') return
  let read: RunState | null = null
  for (;;) {
    const judges = await readJudges(database, id)
    if (judges === null) return
    read ??= await readState(database, run ? runId : null)
    const step = stepOf(result, read, judges)
    if (step.type === 'judged') {
      await store(database, id, step, [run ?? noRun, ...judges.map(({ ended }) => ended)])
      return
    }
    if (read === null || (await beginJudge(engine, result, step, read)) !== 'refused') return
  }
}

const noRun: Ended = { costMicroUsd: null, durationMs: null }

async function store(
  database: Database,
  id: string,
  { verdict, reason, judged }: TryStep & { type: 'judged' },
  runs: readonly [Ended, ...Ended[]],
): Promise<void> {
  const costs = runs.map(({ costMicroUsd }) =>
    costMicroUsd === null ? null : Number(costMicroUsd),
  )
  await unaudited(database.client, 'the runs and their journals say it').checkResult.updateMany({
    where: { id, verdict: null },
    data: {
      verdict,
      reason,
      judged: JSON.stringify(judged),
      costMicroUsd: costs.reduce(addCost),
      durationMs: runs[0].durationMs,
    },
  })
}

/** Returns the state of a run; null = its journal cannot be read, which must not keep the other tries from their verdicts. */
async function readState(database: Database, runId: string | null): Promise<RunState | null> {
  try {
    return foldRun(runId === null ? [] : await readJournal(runId, database))
  } catch (error) {
    log.error({ source: 'checks', runId, error: String(error) }, 'A run cannot be judged')
    return null
  }
}

function stepOf(
  { assertions, runId }: Result,
  state: RunState | null,
  judges: readonly StoredJudge[],
): TryStep {
  const reason = 'The run could not be judged. See the log.'
  const unread: TryStep = { type: 'judged', verdict: 'not-run', reason, judged: [] }
  if (state === null) return unread
  try {
    return judgeTry(assertions, state, new Map(judges.map(({ place, asked }) => [place, asked])))
  } catch (error) {
    log.error({ source: 'checks', runId, error: String(error) }, 'A try cannot be judged')
    return unread
  }
}

type StoredJudge = { place: number; asked: AskedJudge; ended: Ended }

/** Returns the judges of a try that were asked; null = the run of one has not ended. */
async function readJudges(database: Database, resultId: string): Promise<StoredJudge[] | null> {
  const rows = await database.client.checkJudge.findMany({ where: { resultId } })
  const runs = await readRuns(
    database,
    rows.flatMap(({ runId }) => runId ?? []),
  )
  if ([...runs.values()].some(({ status }) => status !== 'ended')) return null
  const judges: StoredJudge[] = []
  for (const { place, runId, reason } of rows) {
    if (runId === null) {
      const asked = { type: 'refused' as const, reason }
      judges.push({ place, asked, ended: { costMicroUsd: 0n, durationMs: null } })
      continue
    }
    const run = runs.get(runId)
    const state = await readState(database, run ? runId : null)
    judges.push({ place, asked: { type: 'ran', runId, state }, ended: run ?? noRun })
  }
  return judges
}

async function readRuns({ client }: Database, ids: readonly string[]) {
  const runs = await client.run.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, status: true, costMicroUsd: true, durationMs: true },
  })
  return new Map(runs.map((run) => [run.id, run]))
}
