import { randomUUID } from 'node:crypto'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { AssertionOf } from '@/lib/protocol/check/assertion'
import type { CheckResult } from '@/lib/runs/checks/schemas'
import { addLocalModel } from './add-local-model'
import { db } from './fixture-db'

export const verdict = (passes: boolean, reason: string) =>
  `[[say: ${JSON.stringify({ passes, reason })}]]`

/** Adds a configuration whose model answers as `script` says, whatever it is asked, and returns its identifier. */
export async function addJudge(
  { admin, server }: { admin: Ctx; server: { url: string } },
  script: string,
  {
    identifier = `judge-${randomUUID().slice(0, 8)}`,
    modelId = `judge-${randomUUID()}`,
    fallbackModelIds = [] as string[],
    unpriced = false,
  } = {},
): Promise<string> {
  const model = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: identifier,
    url: server.url,
    modelId,
    unpriced,
  })
  await createConfiguration(admin, {
    identifier,
    name: `The ${identifier}`,
    modelId: model,
    fallbackModelIds,
    systemPrompt: script,
    maxRounds: 1,
  })
  return identifier
}

export const judgedBy = (
  configuration: string,
  more: Partial<AssertionOf<'judge'>> = {},
): AssertionOf<'judge'> => ({ type: 'judge', configuration, rubric: 'It is short.', ...more })

/** Returns the sentence and the verdict of each judge of a try. */
export function judgesOf(result: CheckResult | undefined) {
  const judges = (result?.judged ?? []).filter(({ judge }) => judge)
  return judges.map(({ sentence, judge }) => ({ sentence, verdict: judge?.verdict }))
}

/** Returns the runs of judges that there are. */
export async function judgeRuns(checkRunId: string) {
  const judges = await db().checkJudge.findMany({
    where: { result: { checkRunId } },
    orderBy: { place: 'asc' },
  })
  const ids = judges.flatMap(({ runId }) => runId ?? [])
  return db().run.findMany({ where: { id: { in: ids } } })
}
