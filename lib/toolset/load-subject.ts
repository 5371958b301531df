import 'server-only'
import type { Tx } from '@/lib/db'
import type { RunSnapshot } from '@/lib/protocol/run-event'
import type { Subject } from '@/lib/runtime/policy/subject'
import { usualSettings } from '@/lib/settings/site-settings'
import { configurationSubject } from './configuration-subject'
import { readPolicyState } from './read-policy-state'

export type SubjectQuestion = {
  /** The run whose approvals count; null = no run is meant. */
  runId?: string | null
  userId: string
  /** What the run began with; null = no configuration was picked yet. */
  snapshot: RunSnapshot | null
  /** Tools picked for the run; null = all. */
  selected: readonly string[] | null
}

/**
 * What the gates need to know about one person's run at this moment, in one statement: it is asked before each
 * round and each call. Inside the transaction that holds the policy lock the answer stays true until it is
 * committed. Throws when anything of it cannot be read: the answer is then no.
 */
export async function loadSubject(tx: Tx, asked: SubjectQuestion): Promise<Subject> {
  const { snapshot, selected, userId, runId = null } = asked
  const now = await readPolicyState(tx, {
    userId,
    runId,
    configurationId: snapshot?.configurationId ?? null,
    taskId: snapshot?.task?.taskId ?? null,
    connectionIds: (snapshot?.targets ?? []).map(({ connectionId }) => connectionId),
  })
  return {
    actor: now.actor,
    frozen: now.freeze && { reason: now.freeze.reason, by: now.freeze.by },
    present: now.present,
    groupsOff: new Map(now.groupsOff.map(({ toolGroup, ...author }) => [toolGroup, author])),
    overrides: new Map(now.overrides.map(({ toolName, ...state }) => [toolName, state])),
    configuration: snapshot && configurationSubject(snapshot, now),
    selected: selected && new Set(selected),
    unpinned: new Set(),
    approvalRules: now.approvalRules,
    approvalLifetimeMs: now.approvalLifetimeMs ?? usualSettings.approvalLifetimeMs,
    fourEyes: snapshot?.fourEyes === true || now.configuration?.fourEyes === true,
    approvers: new Map(now.approvers.map((approver) => [approver.userId, approver])),
  }
}
