import { approvalRules } from '@/lib/domains/approvals/shape'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { findGroup, readGroupLimits } from '@/lib/domains/groups/reads'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { ApprovalRule } from '@/lib/protocol/approval'
import { pick } from '@/lib/protocol/parameters/parameters'
import { defaultsOf } from '@/lib/shape/field-codec'
import { PolicyDraft, WholePolicyDraft } from '@/lib/toolset/policy/policy-draft'
import { planSite, type SitePlan, type SiteStep } from './plan-site'
import { withIds } from './references'
import type { GivenOf, Kind, WrittenFile } from './site-file'

type Draft = { -readonly [K in keyof PolicyDraft]: unknown[] }
type Named = { name: string }

/**
 * Returns what a file changes of the policy, as a draft of it. Throws ValidationError for a file that cannot be applied, and
 * for a change that decides about no past run: such fields are named.
 */
export async function draftOf(ctx: Ctx, file: WrittenFile): Promise<PolicyDraft> {
  const plan = await planSite(ctx, file)
  const beyond = plan.steps.flatMap(fieldsBeyond)
  const faults = [...plan.problems, ...beyond]
  if (faults.length > 0) throw new ValidationError({ file: faults.slice(0, 5).join(' ') })
  return parseInput(PolicyDraft, await draftOfSteps(ctx, file, plan))
}

/** Returns the draft that a planned file is, of any length, without what decides about no past run; null = nothing of it does. */
export async function draftOfPlan(
  ctx: Ctx,
  file: WrittenFile,
  { steps }: Pick<SitePlan, 'steps'>,
): Promise<PolicyDraft | null> {
  const deciding = steps.filter(isDeciding)
  return deciding.length === 0 ? null : draftOfSteps(ctx, file, { steps, deciding })
}

async function draftOfSteps(
  ctx: Ctx,
  file: WrittenFile,
  {
    steps: all,
    deciding: steps = all,
  }: { steps: readonly SiteStep[]; deciding?: readonly SiteStep[] },
): Promise<PolicyDraft> {
  const draft: Draft = {
    rules: [],
    tools: [],
    toolGroups: [],
    servers: [],
    toolApprovals: [],
    toolLimits: [],
    configurations: [],
    groups: [],
    people: [],
  }
  const stored = {
    rules: (await approvalRuleVerbs.list(ctx, { sort: 'name' })).rows,
    limits: await readGroupLimits(db()),
  }
  const added = new Set(all.flatMap((step) => (step.type === 'create' ? [addedKey(step)] : [])))
  for (const step of steps) await addStep(ctx, { draft, file, added, stored }, step)
  return parseInput(WholePolicyDraft, draft)
}

const configurationFields = [
  'enabled',
  'allowedToolGroups',
  'allowedTools',
  'raisedDataClass',
  'fourEyes',
  'afterUntrusted',
  'maxRounds',
  'timeLimitMs',
  'costCapUsd',
  'costCapMode',
] as const

/** The fields of each kind that decide about past runs. */
const decidingFields: { [K in Kind]?: readonly string[] } = {
  tools: ['name', 'enabled', 'reason'],
  toolGroups: ['name', 'enabled', 'reason'],
  toolApprovals: ['name', 'asks', 'reason'],
  toolLimits: ['name', 'perMinute', 'perRun'],
  servers: ['enabled'],
  approvalRules: ruleFields(),
  configurations: configurationFields,
  groups: ['tools', 'toolGroups'],
}

function ruleFields(): string[] {
  return Object.entries(approvalRules.fields).map(([name, field]) =>
    field.kind === 'reference' ? field.as : name,
  )
}

/** Returns the deciding fields of what a step changes; none for what is new and no rule or tool setting. */
function decidingOf({ kind, type }: SiteStep): readonly string[] {
  const isNew = type === 'create' && kind !== 'approvalRules' && !kind.startsWith('tool')
  return isNew ? [] : (decidingFields[kind] ?? [])
}

function isDeciding(step: SiteStep): boolean {
  return step.changes.some(({ field }) => decidingOf(step).includes(field))
}

function fieldsBeyond(step: SiteStep): string[] {
  const { kind, key, changes } = step
  if (decidingOf(step).length === 0) return [`${kind}, ${key}: this changes no past run.`]
  return changes
    .filter(({ field }) => !decidingOf(step).includes(field))
    .map(({ field }) => `${kind}, ${key}: ${field} changes no past run.`)
}

type Adding = {
  draft: Draft
  file: WrittenFile
  /** Kinds and names of what the file adds. */
  added: ReadonlySet<string>
  stored: {
    rules: Awaited<ReturnType<typeof approvalRuleVerbs.list>>['rows']
    limits: Awaited<ReturnType<typeof readGroupLimits>>
  }
}

async function addStep(ctx: Ctx, { draft, file, stored, added }: Adding, { kind, key }: SiteStep) {
  switch (kind) {
    case 'tools':
    case 'toolGroups':
    case 'servers': {
      const { name, enabled } = named<Named & { enabled?: boolean }>(file[kind], key)
      draft[kind].push({ name, enabled })
      break
    }
    case 'toolApprovals': {
      const { name, asks } = named(file.toolApprovals, key)
      draft.toolApprovals.push({ name, asks })
      break
    }
    case 'toolLimits':
      draft.toolLimits.push(named(file.toolLimits, key))
      break
    case 'approvalRules':
      draft.rules.push(
        await ruleOf(ctx, { added, stored: stored.rules }, named(file.approvalRules, key)),
      )
      break
    case 'configurations': {
      const given = file.configurations.find(({ identifier }) => identifier === key)
      if (given) draft.configurations.push(await configurationOf(ctx, given))
      break
    }
    case 'groups': {
      const { name, ...given } = named<GivenOf<'groups'>>(file.groups, key)
      const { id } = await findGroup(ctx, name)
      const before = stored.limits.get(name)
      const { tools = before?.tools ?? null, toolGroups = before?.toolGroups ?? null } = given
      const isOpen = tools === null && toolGroups === null
      draft.groups.push({ id, limits: isOpen ? null : { tools, toolGroups } })
      break
    }
  }
}

function named<T extends Named>(entries: readonly T[], key: string): T {
  const entry = entries.find(({ name }) => name === key)
  if (!entry) throw new Error(`The file has no ${key}.`)
  return entry
}

const addedKey = ({ kind, key }: Pick<SiteStep, 'kind' | 'key'>) => `${kind} ${key}`

/** Returns a rule as it would be stored; one that would be off, or is about what the file adds, is gone. */
async function ruleOf(
  ctx: Ctx,
  { added, stored: rules }: Pick<Adding, 'added'> & { stored: Adding['stored']['rules'] },
  given: GivenOf<'approvalRules'>,
) {
  const stored = rules.find(({ name }) => name === given.name)
  const id = stored?.id ?? `draft of ${given.name}`
  const isAboutNew =
    added.has(addedKey({ kind: 'groups', key: given.personGroup ?? '' })) ||
    added.has(addedKey({ kind: 'configurations', key: given.configuration ?? '' }))
  if (isAboutNew) return { id, rule: null }
  const values = await withIds(ctx, approvalRules.fields, { ...given })
  const rule = { ...defaultsOf(approvalRules.fields), ...stored, ...values }
  const { enabled = true } = { ...stored, ...given }
  return { id, rule: enabled ? ApprovalRule.omit({ id: true }).parse(rule) : null }
}

async function configurationOf(ctx: Ctx, given: GivenOf<'configurations'>) {
  const { id } = await findConfiguration(ctx, given.identifier)
  const { costCapUsd: costCapMicroUsd, ...fields } = pick(given, configurationFields)
  return { id, ...fields, costCapMicroUsd }
}
