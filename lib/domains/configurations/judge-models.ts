import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import type { Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { sameModelWords } from '@/lib/protocol/check/ask-judge'
import type { Assertion } from '@/lib/protocol/check/assertion'
import { sharedModel } from '@/lib/protocol/model/same-model'
import type { RunOverrides } from '@/lib/protocol/run/run-overrides'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { readAnySnapshots, readConfiguration } from './run-snapshot'

type Assertions = readonly Assertion[]

/** A configuration of a check, and what its runs have otherwise. */
export type Judged = { configurationId: string | null; overrides: RunOverrides | null }

/**
 * Returns assertions as they are stored, with the identifiers of the configurations that judge. Throws ValidationError for one that the
 * caller may not use, unless `before` has it, and for one that has a model of what it would judge.
 */
export async function requireJudges(
  client: Tx,
  ctx: Ctx,
  { assertions, before, ...judged }: Judged & { assertions: Assertions; before: Assertions },
): Promise<Assertion[]> {
  const models = await modelsOf(client, assertions, judged)
  const known = before.flatMap((each) => (each.type === 'judge' ? each.configuration : []))
  const stored: Assertion[] = []
  for (const [place, assertion] of assertions.entries()) {
    const judge = assertion.type === 'judge' ? await readJudge(client, ctx, assertion) : null
    const field = `assertions.${place}.configuration`
    if (assertion.type === 'judge' && !judge && !known.includes(assertion.configuration))
      throw new ValidationError({
        [field]: `There is no configuration ${assertion.configuration}, or you may not use it. Pick another one.`,
      })
    const words = judge && sameModelWords(judge.assertion, sharedModel(judge.targets, models))
    if (words) throw new ValidationError({ [field]: words })
    stored.push(judge?.assertion ?? assertion)
  }
  return stored
}

/**
 * Throws ConflictError when a judge has a model of what it would judge. A judge that the caller may not use is left out: the try says so
 * when it is asked.
 */
export async function refuseSameModel(
  client: Tx,
  ctx: Ctx,
  { name, assertions, ...judged }: Judged & { name: string; assertions: Assertions },
): Promise<void> {
  const models = await modelsOf(client, assertions, judged)
  for (const assertion of assertions) {
    const judge = assertion.type === 'judge' ? await readJudge(client, ctx, assertion) : null
    const words = judge && sameModelWords(judge.assertion, sharedModel(judge.targets, models))
    if (words) throw new ConflictError(`Nothing was started. The check ${name}: ${words}`)
  }
}

type Judge = Extract<Assertion, { type: 'judge' }>

/** Returns a judge with its identifier and models; null = the caller may not use it, or it is gone. */
async function readJudge(
  client: Tx,
  ctx: Ctx,
  assertion: Judge,
): Promise<{ assertion: Judge; targets: RunSnapshot['targets'] } | null> {
  try {
    const snapshot = await readConfiguration(client, ctx, assertion.configuration)
    const configuration = snapshot.configurationIdentifier
    return { assertion: { ...assertion, configuration }, targets: snapshot.targets }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Returns the models that may answer in the runs of a check; none when nothing judges them. */
async function modelsOf(
  client: Tx,
  assertions: Assertions,
  { configurationId, overrides }: Judged,
): Promise<{ modelRecordId: string; modelId: string }[]> {
  if (!assertions.some(({ type }) => type === 'judge')) return []
  const other = overrides?.model
  if (other !== undefined) {
    const model = await client.model.findUnique({ where: { id: other } })
    return model ? [{ modelRecordId: model.id, modelId: model.modelId }] : []
  }
  if (configurationId === null) return []
  return (await readAnySnapshots(client, [configurationId])).get(configurationId)?.targets ?? []
}
