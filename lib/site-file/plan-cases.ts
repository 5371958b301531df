import { readCases } from '@/lib/domains/policy-cases/reads'
import { type JudgedCase, policyCases, type StoredCase } from '@/lib/domains/policy-cases/shape'
import type { BrokenCase, Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { defaultsOf } from '@/lib/shape/field-codec'
import { judgeCases } from '@/lib/toolset/policy/judge-cases'
import { PolicyDraft } from '@/lib/toolset/policy/policy-draft'
import type { SitePlan } from './plan-site'
import { draftOfPlan } from './policy-draft'
import { withIds } from './references'
import type { GivenOf, WrittenFile } from './site-file'

/** Effects of a file on policy cases, those that it adds or changes among them. */
export type PlannedCases = {
  /** Answers of before the file. */
  before: JudgedCase[]
  /** Cases that would fail, and passed before or come with the file. */
  broken: BrokenCase[]
  passed: number
  /** Names of cases about what the file adds: they can be asked only after it is applied. */
  later: string[]
}

/** Asks the policy cases of this site and of a planned file about the policy that the file makes. */
export async function judgePlan(
  ctx: Ctx,
  file: WrittenFile,
  plan: Pick<SitePlan, 'steps'>,
): Promise<PlannedCases> {
  const stored = await readCases(db())
  const said = plan.steps.flatMap(({ kind, key }) =>
    kind === 'policyCases' ? file.policyCases.filter(({ name }) => name === key) : [],
  )
  if (stored.length === 0 && said.length === 0)
    return { before: [], broken: [], passed: 0, later: [] }
  const added = new Set(
    plan.steps.flatMap(({ kind, key, type }) => (type === 'create' ? [`${kind} ${key}`] : [])),
  )
  const changed = new Map<string, StoredCase>()
  const later: string[] = []
  for (const given of said) {
    if (isAboutAdded(given, added)) later.push(given.name)
    else changed.set(given.name, await caseOf(ctx, given, stored))
  }
  const draft = (await draftOfPlan(ctx, file, plan)) ?? PolicyDraft.parse({})
  const kept = stored.filter(({ name }) => !changed.has(name) && !later.includes(name))
  const before = await judgeCases(db(), stored)
  const after = await judgeCases(db(), [...kept, ...changed.values()], { draft })
  const broken = after.filter(({ name, verdict }) => {
    const was = before.find((each) => each.name === name)?.verdict
    if (changed.has(name)) return verdict !== 'passed'
    return verdict === 'failed' && was === 'passed'
  })
  const passed = after.filter(({ verdict }) => verdict === 'passed').length
  return { before, broken, passed, later }
}

/** Returns the cases that fail after a file was applied, and neither failed before it nor were expected to. */
export async function lateFailures({ before, broken }: PlannedCases): Promise<BrokenCase[]> {
  const known = new Set(broken.map(({ name }) => name))
  const failed = before.filter(({ verdict }) => verdict !== 'passed').map(({ name }) => name)
  const after = await judgeCases(db(), await readCases(db()))
  return after.filter(
    ({ name, verdict }) => verdict === 'failed' && !known.has(name) && !failed.includes(name),
  )
}

type Given = GivenOf<'policyCases'>

function isAboutAdded({ configuration, personGroup }: Given, added: ReadonlySet<string>): boolean {
  return added.has(`configurations ${configuration}`) || added.has(`groups ${personGroup}`)
}

/** Returns a case as it would be stored. */
async function caseOf(ctx: Ctx, given: Given, stored: readonly StoredCase[]): Promise<StoredCase> {
  const before = stored.find(({ name }) => name === given.name)
  const values = await withIds(ctx, policyCases.fields, { ...given })
  const { id = `new ${given.name}` } = before ?? {}
  const whole = { ...defaultsOf(policyCases.fields), ...before, ...values }
  return { ...policyCases.Create.parse(pickFields(whole)), id }
}

function pickFields(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(policyCases.fields)
  return Object.fromEntries(names.map((name) => [name, values[name]]))
}
