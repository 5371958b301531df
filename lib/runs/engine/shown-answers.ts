import 'server-only'
import type { ShownAnswer } from '@/lib/engines/runtime/deps'
import { estimateTokens } from '@/lib/engines/runtime/spend/count-tokens'
import type { Run } from '@/lib/generated/prisma/client'
import type { Database } from '@/lib/kernel/db'
import { answerFrom, type OpenAnswer, textIn } from '@/lib/protocol/run/run-delta'
import { toJson } from '../journal/write-entries'
import { areLocked, lockRuns } from '../journal/write-steps'

/** Counted part of an answer: `length` UTF-16 units of it are estimated as `tokens`. */
type Counted = ShownAnswer & { length: number }

const statement = `
WITH shown AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS s("runId" uuid, start int, tokens int)),
${lockRuns('SELECT "runId" FROM shown')}
UPDATE runs SET "shownStart" = s.start, "shownTokens" = s.tokens
FROM shown s
WHERE runs.id = s."runId" AND runs."instanceId" = $2::uuid AND ${areLocked}`

/**
 * Opens what stores how much of each open answer of an engine was shown, so that it is counted when its process is killed
 * (SPEC M5). It counts what came since the last time only, and costs no statement when nothing did.
 */
export function openShownAnswers(
  { pool }: Pick<Database, 'pool'>,
  instanceId: string,
  openAnswers: () => OpenAnswer[],
): () => Promise<void> {
  let stored = new Map<string, Counted>()
  return async () => {
    const answers = openAnswers()
    const counted = new Map(
      answers.map((answer) => [answer.runId, countOn(answer, stored.get(answer.runId))]),
    )
    const grown = [...counted].filter(([runId, { start, tokens }]) => {
      const before = stored.get(runId)
      return before?.start === start ? before.tokens < tokens : tokens > 0
    })
    if (grown.length > 0) {
      const rows = grown.map(([runId, { start, tokens }]) => ({ runId, start, tokens }))
      await pool.query({ name: 'shown', text: statement, values: [toJson(rows), instanceId] })
    }
    stored = counted
  }
}

function countOn(answer: OpenAnswer, before: Counted | undefined): Counted {
  const { start, length } = answer
  const known = before?.start === start ? before : { length: 0, tokens: 0 }
  const texts = length > known.length ? answerFrom(answer, known.length).map(textIn) : []
  return { start, length, tokens: known.tokens + estimateTokens(texts.join('')) }
}

/** Returns what the row of a run says of its last open request. */
export function shownOf({ shownStart, shownTokens }: Pick<Run, 'shownStart' | 'shownTokens'>) {
  return { start: shownStart, tokens: shownTokens } satisfies ShownAnswer
}
