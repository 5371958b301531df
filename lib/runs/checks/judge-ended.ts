import 'server-only'
import { type Database, unaudited } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { readJournal } from '@/lib/runs/read-run'
import { type JudgedTry, judgeTry } from './judge-try'

/** Judges the tries of a run of checks whose runs have ended or are gone. Two processes that do so store the same. */
export async function judgeEnded(database: Database, checkRunId: string): Promise<void> {
  const { client } = database
  const open = await client.checkResult.findMany({
    where: { checkRunId, verdict: null, runId: { not: null } },
    select: { id: true, runId: true, assertions: true },
  })
  const runs = await client.run.findMany({
    where: { id: { in: open.flatMap(({ runId }) => runId ?? []) } },
    select: { id: true, status: true, costMicroUsd: true, durationMs: true },
  })
  const byId = new Map(runs.map((run) => [run.id, run]))
  for (const { id, runId, assertions } of open) {
    const run = byId.get(runId ?? '')
    if (run && run.status !== 'ended') continue
    const { verdict, reason, judged } = await judge(database, assertions, run ? run.id : null)
    await unaudited(client, 'the run and its journal say it').checkResult.updateMany({
      where: { id, verdict: null },
      data: {
        verdict,
        reason,
        judged: JSON.stringify(judged),
        costMicroUsd: run?.costMicroUsd ?? null,
        durationMs: run?.durationMs ?? null,
      },
    })
  }
}

/** Judges one run. A journal that cannot be read must not keep the other tries from their verdicts. */
async function judge(
  database: Database,
  assertions: string,
  runId: string | null,
): Promise<JudgedTry> {
  try {
    return judgeTry(assertions, runId === null ? [] : await readJournal(runId, database))
  } catch (error) {
    log.error({ source: 'checks', runId, error: String(error) }, 'A try cannot be judged')
    return { verdict: 'not-run', reason: 'The run could not be judged. See the log.', judged: [] }
  }
}
