import type { Ctx } from '@/lib/kernel/context'
import { AppError } from '@/lib/kernel/errors'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { applySite } from '@/lib/site-file/apply-site'
import { kindWord, valueText } from '@/lib/site-file/entry'
import type { FieldChange } from '@/lib/site-file/handler'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { judgePlan, type PlannedCases } from '@/lib/site-file/plan-cases'
import { planFingerprint, planSite, type SitePlan, type SiteStep } from '@/lib/site-file/plan-site'
import { draftOfPlan } from '@/lib/site-file/policy-draft'
import type { Kind, WrittenFile } from '@/lib/site-file/site-file'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCount } from '@/lib/words/format'
import { actingCtx } from './acting-ctx'
import { exitCodes } from './exit-codes'
import type { ConfirmOptions } from './input/common-options'
import { readFileOrInput } from './input/read-input'
import { printJson, printLine } from './print'
import { terminal } from './terminal'

export type ApplyOptions = {
  as?: string
  json?: boolean
  file: string
  plan?: boolean
  yes?: boolean
  reason: string
} & ConfirmOptions

const maxBytes = 8 * 1024 * 1024
/** Exit code of `--plan` when there is something to do. */
const changesExitCode = 2

/** Prints what would change, asks the person at the terminal, and applies it. Returns the exit code. */
export async function applyFile(options: ApplyOptions): Promise<number> {
  const ctx = await actingCtx(options.as, options)
  const file = parseSiteFile((await readFileOrInput(options.file, maxBytes)).toString('utf8'))
  const plan = await planSite(ctx, file)
  const cases = plan.problems.length > 0 ? null : await judgePlan(ctx, file, plan)
  if (options.json) printJson({ ...plan, policyCases: cases && shownCases(cases) })
  else for (const line of planLines(plan)) printLine(line)
  if (!cases) return exitCodes.failed
  if (options.plan) {
    if (!options.json) await printTrialOf(ctx, file, plan)
    if (!options.json) for (const line of caseLines(cases)) printLine(visibleText(line))
    if (cases.broken.length > 0 && options.breakChecks === undefined) return exitCodes.failed
    return plan.steps.length > 0 ? changesExitCode : exitCodes.ok
  }
  if (plan.steps.length === 0) return exitCodes.ok
  if (!(await isAgreed(options, plan))) {
    printLine('Nothing was applied.')
    return exitCodes.failed
  }
  await applySite(ctx, file, {
    reason: options.reason || `Applied from ${options.file === '-' ? 'a file' : options.file}`,
    fingerprint: planFingerprint(plan),
    onStep: ({ kind, key }) => {
      if (!options.json) printLine(`Done: ${kindWord(kind)} ${key}`)
    },
  })
  return exitCodes.ok
}

/** The newest runs that a plan is tried on, of 30 days. */
const triedRuns = 1_000

/** Prints how many past runs the file would have made go otherwise; nothing, if it decides about none. */
async function printTrialOf(ctx: Ctx, file: WrittenFile, plan: SitePlan): Promise<void> {
  try {
    const draft = await draftOfPlan(ctx, file, plan)
    if (!draft) return
    const input = TrialInput.parse({ draft: {}, mostRuns: triedRuns })
    const { changed, replayed, waysOut } = await runTrial(ctx, { ...input, draft })
    printLine(
      `Would have changed ${formatCount(changed)} of ${countOf(replayed, 'run')} of 30 days.`,
    )
    for (const sentence of waysOut) printLine(visibleText(sentence))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    printLine(visibleText(`Not tried on past runs: ${error.message}`))
  }
}

function shownCases({ broken, passed, later }: PlannedCases) {
  return { passed, later, broken: broken.map(({ name, says }) => ({ name, says })) }
}

/** Returns what a plan would do to policy cases, as lines; none without cases. */
function caseLines({ broken, passed, later }: PlannedCases): string[] {
  const counted = passed + broken.length + later.length
  if (counted === 0) return []
  return [
    ...broken.map(({ name, says }) => `! This change breaks the policy case "${name}". ${says}`),
    ...later.map(
      (name) => `* The policy case "${name}" is about what the file adds: it is asked afterwards.`,
    ),
    `${countOf(passed, 'policy case')} would pass, ${formatCount(broken.length)} would fail.`,
    ...(broken.length > 0 ? ['To apply it all the same, say why with --break-checks REASON.'] : []),
  ]
}

/** Asks a person in a terminal whether to apply. Returns true for a program, which has read the plan before. */
async function isAgreed({ yes, json, file }: ApplyOptions, { steps }: SitePlan): Promise<boolean> {
  const { typed, read, ask } = terminal()
  if (yes || json || file === '-' || !typed || !read) return true
  const answer = await ask(`Apply ${steps.length === 1 ? 'it' : 'them'}? [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

const longest = 80

/** Returns a plan as lines: "+" is new, "~" is changed, "=" is unchanged, "*" was read in another way. */
function planLines({ steps, onlyHere, problems, notices }: SitePlan): string[] {
  return [
    ...steps.flatMap(stepLines),
    ...onlyHere.map(
      ({ kind, key }) => `= ${kindWord(kind)} ${key}: only on this site, not changed`,
    ),
    ...notices.map((notice) => `* ${notice}`),
    ...problems.map((problem) => `! ${problem}`),
    sumLine(steps.length, problems.length),
  ].map(visibleText)
}

function stepLines({ type, kind, key, changes }: SiteStep): string[] {
  if (type === 'create') return [`+ ${kindWord(kind)} ${key}`]
  return [
    `~ ${kindWord(kind)} ${key}`,
    ...changes.map((change) => `    ${changeText(kind, change)}`),
  ]
}

function changeText(kind: Kind, { field, before, after, note }: FieldChange): string {
  const [old, now] = [before, after].map((value) => cut(valueText(kind, field, value)))
  const values = `${field}: ${old} -> ${now}`
  return note === undefined ? values : `${values} (${note})`
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
}

function sumLine(steps: number, problems: number): string {
  if (problems > 0) return 'Nothing can be applied until these problems are fixed.'
  if (steps === 0) return 'No changes: this site matches the file.'
  return steps === 1 ? '1 change.' : `${steps} changes.`
}
