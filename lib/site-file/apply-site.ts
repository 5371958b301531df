import { makeChange } from '@/lib/edge/verb'
import { type Ctx, waysOutOf } from '@/lib/kernel/context'
import { AppError, ConflictError, ValidationError } from '@/lib/kernel/errors'
import { requireWaysOut, withoutCaseChecks } from '@/lib/toolset/policy/keep-ways-out'
import { kindWord } from './entry'
import type { Work } from './handler'
import { judgePlan, lateFailures, type PlannedCases } from './plan-cases'
import { compareSite, planFingerprint, type SitePlan, type SiteStep } from './plan-site'
import { draftOfPlan } from './policy-draft'
import type { WrittenFile } from './site-file'

export type ApplyOptions = {
  /** Kept with each change that asks for a reason, and in the audit. */
  reason: string
  /** The fingerprint of the plan that somebody looked at; a different plan is a ConflictError. Left out = any plan. */
  fingerprint?: string
  /** Told of each step that is wholly done, and waited for. */
  onStep?: (step: SiteStep) => void | Promise<void>
}

/** See `Work`. */
const phases = ['narrow', 'write', 'finish'] as const

/**
 * Makes this installation what a file says, one audited change after the other through the same verbs as the console:
 * first what it takes away, last what it opens. What fails stops it there: what was done stays, and applying the file
 * again goes on. A second time there is nothing to do. Admins only.
 */
export async function applySite(
  ctx: Ctx,
  file: WrittenFile,
  options: ApplyOptions,
): Promise<SitePlan> {
  const { plan, works } = await compareSite(ctx, file)
  if (plan.problems.length > 0) throw new ValidationError({ file: plan.problems.join(' ') })
  const { reason, fingerprint, onStep } = options
  if (fingerprint !== undefined && fingerprint !== planFingerprint(plan)) {
    throw new ConflictError('This site changed after you opened the plan. Review the plan again.')
  }
  if (plan.steps.length === 0) return plan
  await requireWaysOutAfter(ctx, file, plan)
  const cases = await judgePlan(ctx, file, plan)
  const breakReason = waysOutOf(ctx)?.requireReason(cases.broken) ?? ''
  const broken = cases.broken.map(({ name }) => name)
  const steps = plan.steps.map(({ kind, key, type }) => `${type} ${kindWord(kind)} ${key}`)
  const begun = {
    by: ctx,
    action: 'site.apply',
    subject: null,
    after: { steps, ...(broken.length > 0 && { brokenCases: broken, breakReason }) },
    reason,
  } as const
  await makeChange(async () => ({ output: undefined, changes: [begun] }))
  const stepCtx = withoutCaseChecks(ctx)
  let done = 0
  for (const phase of phases) {
    for (const [index, step] of plan.steps.entries()) {
      const work = works[index] ?? {}
      await work[phase]?.(stepCtx, reason).catch(async (error: unknown) => {
        const late = await lateSentences(cases)
        throw stoppedAt(error, { step, done, steps: plan.steps.length, late })
      })
      if (phase !== lastPhase(work)) continue
      done += 1
      await onStep?.(step)
    }
  }
  const late = await lateSentences(cases)
  // The applied changes stay.
  if (late !== '') throw new AppError('policy-cases-fail', 409, `The file is applied.\n${late}`)
  return plan
}

/** Returns which cases fail now that could not be asked before, or that the plan did not foresee, a line each. */
async function lateSentences(cases: PlannedCases): Promise<string> {
  const late = await lateFailures(cases)
  return late.map(({ name, says }) => `The policy case "${name}" fails now. ${says}`).join('\n')
}

/** Asks for a confirmation before anything is changed, and not halfway. Each change asks for itself, too. */
async function requireWaysOutAfter(ctx: Ctx, file: WrittenFile, plan: SitePlan): Promise<void> {
  const draft = await draftOfPlan(ctx, file, plan)
  if (draft) await requireWaysOut(ctx, draft)
}

function lastPhase(work: Work): (typeof phases)[number] | undefined {
  return phases.findLast((phase) => work[phase] !== undefined)
}

type Stopped = { step: SiteStep; done: number; steps: number; late: string }

function stoppedAt(error: unknown, { step: { kind, key }, done, steps, late }: Stopped): unknown {
  if (!(error instanceof AppError)) return error
  const message = `Stopped at the ${kindWord(kind)} ${key}, after ${done} of ${steps} changes: ${error.message} The earlier changes stay. Fix the problem and apply the file again.${late && `\n${late}`}`
  return new AppError(error.code, error.status, message)
}
