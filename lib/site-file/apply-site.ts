import { recordAudit } from '../audit/record-audit'
import type { Ctx } from '../context'
import { withTransaction } from '../db'
import { AppError, ConflictError, ValidationError } from '../errors'
import { entryKey, kindWord } from './entry-key'
import { handlers } from './handlers'
import { planFingerprint } from './plan-fingerprint'
import { planSite, readSite, type SitePlan, type SiteStep } from './plan-site'
import type { GivenOf, Kind, SiteFile, SiteState } from './site-file'

export type ApplyOptions = {
  /** Kept with each change that asks for a reason, and in the audit. */
  reason: string
  /** Of the plan that somebody looked at; another one now is a ConflictError. Left out = whatever there is to do. */
  fingerprint?: string
  onStep?: (step: SiteStep) => void
}

/**
 * Makes this installation what a file says, one audited change after the other through the same verbs as the console.
 * What fails stops it there: what was done stays, and applying the file again goes on. A second time there is nothing to
 * do. Admins only.
 */
export async function applySite(
  ctx: Ctx,
  file: SiteFile,
  options: ApplyOptions,
): Promise<SitePlan> {
  const plan = await planSite(ctx, file)
  if (plan.problems.length > 0) throw new ValidationError({ file: plan.problems.join(' ') })
  const { reason, fingerprint, onStep } = options
  if (fingerprint !== undefined && fingerprint !== planFingerprint(plan)) {
    throw new ConflictError('Something was changed here since you looked. Look at the plan again.')
  }
  if (plan.steps.length === 0) return plan
  const state = await readSite(ctx)
  await withTransaction((tx) =>
    recordAudit(tx, ctx, {
      action: 'site.apply',
      objectType: 'site',
      objectId: null,
      after: { steps: plan.steps.map(({ kind, key, type }) => `${type} ${kindWord(kind)} ${key}`) },
      reason,
    }),
  )
  const source = { file, state, reason }
  const steps = [
    ...plan.steps.map((step) => ({ step, take: () => takeStep(ctx, step, source) })),
    ...plan.steps.map((step) => ({ step, take: () => finishStep(ctx, step, source) })),
  ]
  for (const [done, { step, take }] of steps.entries()) {
    await take().catch((error: unknown) => {
      throw stoppedAt(error, step, Math.min(done, plan.steps.length), plan.steps.length)
    })
    if (done < plan.steps.length) onStep?.(step)
  }
  return plan
}

type Source = { file: SiteFile; state: SiteState; reason: string }

async function takeStep(ctx: Ctx, step: SiteStep, { file, state, reason }: Source): Promise<void> {
  await write(ctx, step.kind, step, givenIn(file, step.kind, step.key), state, reason)
}

async function write<K extends Kind>(
  ctx: Ctx,
  kind: K,
  { key, changes }: SiteStep,
  given: GivenOf<K>,
  state: SiteState,
  reason: string,
): Promise<void> {
  const handler = handlers[kind]
  const before = state[kind].get(key)
  if (!before) return handler.create(ctx, given, reason)
  const changed = new Set(changes.map(({ field }) => field))
  return handler.update(ctx, { before, given, changed }, reason)
}

async function finishStep(ctx: Ctx, step: SiteStep, { file, reason }: Source): Promise<void> {
  if (step.type === 'create') await finish(ctx, step.kind, step.key, file, reason)
}

async function finish<K extends Kind>(
  ctx: Ctx,
  kind: K,
  key: string,
  file: SiteFile,
  reason: string,
): Promise<void> {
  await handlers[kind].finish?.(ctx, givenIn(file, kind, key), reason)
}

function givenIn<K extends Kind>(file: SiteFile, kind: K, key: string): GivenOf<K> {
  const entries: GivenOf<K>[] = file[kind]
  const given = entries.find((entry) => entryKey(kind, entry) === key)
  if (!given) throw new Error(`The file has no ${kindWord(kind)} ${key}.`)
  return given
}

function stoppedAt(error: unknown, { kind, key }: SiteStep, done: number, steps: number): unknown {
  if (!(error instanceof AppError)) return error
  const message = `Stopped at the ${kindWord(kind)} ${key}, after ${done} of ${steps} changes: ${error.message} What was done stays; put it right and apply the file again.`
  return new AppError(error.code, error.status, message)
}
