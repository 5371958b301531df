import 'server-only'
import { unreadableFreeze } from '@/lib/domains/settings/read-freeze'
import { defaultSettings } from '@/lib/domains/settings/shape'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import type { Tx } from '@/lib/kernel/db'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { configurationSubject } from './configuration-subject'
import {
  type PolicyQuestion,
  type PolicyState,
  type Reading,
  readPolicyStates,
} from './read-policy-state'
import { type RightsOf, revokedRights } from './revoked-rights'

export type SubjectQuestion = {
  /** The run whose approvals count; null = no run is meant. */
  runId?: string | null
  userId: string
  /** The API key that it is started with; null = none. */
  apiKeyId: string | null
  /** Snapshot at the start of the run; null: no configuration was picked yet. */
  snapshot: RunSnapshot | null
  /**
   * Number of times that the access of the account had been ended when the run began; another number now ends the run.
   * Left out: it has not begun.
   */
  accessEpoch?: number | null
  /** Number of freezes before the run began; left out = it has not begun. */
  freezes?: number | null
  /** Tools picked for the run; null = all. */
  selected: readonly string[] | null
}

/**
 * Returns what the gates need to know about one person's run at this moment. Inside the transaction that holds the policy
 * lock the answer stays true until it is committed. Throws when anything of it cannot be read: the answer is then no.
 */
export async function loadSubject(tx: Tx, input: SubjectQuestion): Promise<Subject> {
  const [reading] = await loadSubjects(tx, [input])
  if (reading?.type === 'read') return reading.value
  throw reading?.error ?? new Error('The policy state has no answer for this run.')
}

/** Returns what `loadSubject` does for any number of runs, in their order, by one statement. */
export async function loadSubjects(
  tx: Tx,
  input: readonly SubjectQuestion[],
): Promise<Reading<Subject>[]> {
  const { readings } = await readPolicyStates(tx, input.map(policyQuestion))
  return readings.map((reading, place) => {
    const question = input[place]
    if (reading.type === 'unreadable') return reading
    if (!question) throw new Error('The policy state has more answers than questions.')
    return { type: 'read', value: subjectOf(reading.value, question) }
  })
}

/** Returns the policy state for one run, with the version of the policy it is from. Throws as `loadSubject` does. */
export async function readPolicy(
  tx: Tx,
  input: SubjectQuestion,
): Promise<{ state: PolicyState; version: string }> {
  const { version, readings } = await readPolicyStates(tx, [policyQuestion(input)])
  const [reading] = readings
  if (reading?.type === 'read') return { state: reading.value, version }
  throw reading?.error ?? new Error('The policy state has no answer for this run.')
}

/**
 * Parts of a question about a run's rights without its prompts and skills; `target` is the current model of its chain.
 */
export type RightsQuestion = {
  userId: string
  apiKeyId: string | null
  run: RightsOf
  target: number
  accessEpoch: number | null
  freezes: number
}

/**
 * Returns which of these runs may not go on because of a freeze or a right that was taken away (SPEC G-R, G-Z). Unreadable
 * ones are left out.
 */
export async function findRevoked<T extends RightsQuestion>(
  tx: Tx,
  input: readonly T[],
): Promise<T[]> {
  const { readings } = await readPolicyStates(
    tx,
    input.map(({ userId, apiKeyId, run }) => policyQuestion({ userId, apiKeyId, snapshot: run })),
  )
  return input.filter(({ run, target, accessEpoch, freezes }, place) => {
    const reading = readings[place]
    if (reading?.type !== 'read') return false
    if (freezeOf(reading.value, freezes) !== null) return true
    const { run: all, targets } = revokedRights(reading.value, run, accessEpoch)
    return all !== null || (targets[target] ?? null) !== null
  })
}

/** Returns what is asked of the stored policy about one run. */
export function policyQuestion({
  userId,
  apiKeyId,
  runId = null,
  snapshot,
}: {
  userId: string
  apiKeyId: string | null
  runId?: string | null
  snapshot: RightsOf | null
}): PolicyQuestion {
  const targets = snapshot?.targets ?? []
  return {
    userId,
    apiKeyId,
    runId,
    configurationId: snapshot?.configurationId ?? null,
    taskId: snapshot?.task?.taskId ?? null,
    connectionIds: targets.map(({ connectionId }) => connectionId),
    modelIds: targets.map(({ modelRecordId }) => modelRecordId),
  }
}

/** Returns the freeze that counts for a run: the current one, or one since it began that was lifted; null = neither. */
function freezeOf(now: PolicyState, freezes: number | null): Subject['frozen'] {
  if (now.freeze || freezes === null || freezes === now.freezes) return now.freeze
  return now.lastFreeze ?? unreadableFreeze
}

/** Returns the subject of a run for a policy state. */
export function subjectOf(
  now: PolicyState,
  { snapshot, selected, apiKeyId, accessEpoch = null, freezes = null }: SubjectQuestion,
): Subject {
  return {
    actor: now.actor,
    apiKeyId,
    frozen: freezeOf(now, freezes),
    present: now.present,
    groupsOff: new Map(now.groupsOff.map(({ toolGroup, ...author }) => [toolGroup, author])),
    overrides: new Map(now.overrides.map(({ toolName, ...state }) => [toolName, state])),
    configuration: snapshot && configurationSubject(snapshot, now),
    selected: selected && new Set(selected),
    apiKey: now.apiKey,
    remote: now.remote,
    accounts: now.accounts,
    approvalRules: now.approvalRules,
    toolApprovals: now.toolApprovals,
    untrustedReads: [],
    rates: new Map(now.limits.map(({ toolName, ...limit }) => [toolName, { ...limit, use: null }])),
    approvalLifetimeMs: now.approvalLifetimeMs ?? defaultSettings.approvalLifetimeMs,
    fourEyes: snapshot?.fourEyes === true || now.configuration?.fourEyes === true,
    starters: snapshot?.starters ?? [],
    approvers: new Map(now.approvers.map((approver) => [approver.userId, approver])),
    revoked: revokedRights(now, snapshot, accessEpoch),
  }
}
