import 'server-only'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { type Database, type Tx, withTransaction } from '@/lib/kernel/db'
import { lockPolicyShared } from '@/lib/kernel/policy-lock'
import { channels, type Notifications } from '@/lib/runs/journal/notifications'
import { readPolicy, type SubjectQuestion, subjectOf } from '@/lib/toolset/policy/load-subject'
import type { PolicyState } from '@/lib/toolset/policy/read-policy-state'
import { readPolicyVersion } from './versioned'

/** Cached answer to one question, and the version of the policy it was read at. */
type Known = { state: PolicyState; version: string }

/**
 * Policy facts for the gates about a run. `version` names the policy it was read at: a start is written only while it
 * is still the current one. `fresh`: read for this question, and not taken from memory.
 */
export type PolicyReading = {
  subject: Subject
  /** Number that a run of this person keeps when it begins now; it changes when the access ends. */
  accessEpoch: number
  /** Number of freezes so far; a run that begins now keeps it, too. */
  freezes: number
  version: string
  fresh: boolean
}

/** The policy as one engine knows it. */
export type PolicyCache = {
  /**
   * Returns the subject of a run, from memory where nothing has changed. With `from`, it is read there: before anything
   * is refused, because a change may be on its way. Throws when it cannot be read.
   */
  read: (input: SubjectQuestion, from?: Tx) => Promise<PolicyReading>
  /** Returns the version of the policy, from memory if it is known. With `from`, it is read there. */
  version: (from?: Tx) => Promise<string>
}

/**
 * Does `work` in a transaction during which nobody can change the policy: for what was decided before, and each time a
 * change came first.
 */
export function holdPolicy<T>({ client }: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withTransaction(async (tx) => {
    await lockPolicyShared(tx)
    return work(tx)
  }, client)
}

/** After so many tries, a decision holds the policy instead of hoping that it stays. */
export const optimisticAttempts = 2

/** Attempts to store what was planned under a policy that changes meanwhile. */
const mostTries = 10

/** Takes a transaction back: what it stores was planned under an older policy. */
export class PolicyChangedError extends Error {}

/** Returns null for a policy that changed; throws other errors. */
export function nullIfPolicyChanged(error: unknown): null {
  if (error instanceof PolicyChangedError) return null
  throw error
}

/**
 * Plans and stores, again when the policy changed meanwhile: first as the policy is known, at last while it is held. `store` gets
 * the transaction that holds it, and returns null or throws PolicyChangedError to be called again. Returns null at the end of the tries.
 */
export async function storeUnderPolicy<T>(
  database: Database,
  store: (tries: number, tx?: Tx) => Promise<T | null>,
): Promise<T | null> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const stored = await (tries > optimisticAttempts
      ? holdPolicy(database, (tx) => store(tries, tx))
      : store(tries)
    ).catch(nullIfPolicyChanged)
    if (stored) return stored
  }
  return null
}

/** Runs with one configuration share an entry; more of them than this are an unusual site. */
const mostEntries = 2_000

/**
 * Opens the cache of one engine. Every notification of a policy change empties it. Notifications may come late or be
 * lost, so nothing starts by what the cache says alone: the statement that writes a start compares the version. Without
 * notifications, everything is read from the database.
 */
export function openPolicyCache(
  database: Database,
  notifications: Notifications | null,
): PolicyCache {
  const known = new Map<string, Known>()
  let lastVersion: string | null = null
  let changes = 0
  const isNotified = () => notifications?.isListening() === true
  notifications?.subscribe(channels.policy, () => {
    changes++
    lastVersion = null
    known.clear()
  })

  /** Keeps entries of one version only: a newer one may be read before its notification arrives. */
  const noteVersion = (version: string): void => {
    if (version !== lastVersion) known.clear()
    lastVersion = version
  }

  const readFrom = async (tx: Tx, input: SubjectQuestion): Promise<PolicyReading> => {
    const before = changes
    const { state, version } = await readPolicy(tx, input)
    const subject = subjectOf(state, input)
    if (before === changes) noteVersion(version)
    if (before === changes && !input.runId) {
      if (known.size >= mostEntries) known.clear()
      known.set(keyOf(input), { state, version })
    }
    return { ...keptBy(state), subject, version, fresh: true }
  }

  return {
    read: async (input, from) => {
      // Approvals of a run are no part of the policy, so its version does not cover them.
      const entry = from || input.runId ? undefined : known.get(keyOf(input))
      if (!entry || !isNotified()) return readFrom(from ?? database.client, input)
      const subject = subjectOf(entry.state, input)
      return endsRun(subject)
        ? readFrom(database.client, input)
        : { ...keptBy(entry.state), subject, version: entry.version, fresh: false }
    },
    version: async (from) => {
      if (!from && lastVersion !== null && isNotified()) return lastVersion
      const before = changes
      const version = await readPolicyVersion(from ?? database.client)
      if (before === changes) noteVersion(version)
      return version
    },
  }
}

function keptBy({ accessEpoch, freezes }: PolicyState) {
  return { accessEpoch: accessEpoch ?? 0, freezes }
}

/** Returns whether this ends a run, or a model of it. That is said only of what was just read. */
function endsRun({ frozen, revoked }: Subject): boolean {
  return (
    frozen !== null || revoked.run !== null || revoked.targets.some((reason) => reason !== null)
  )
}

function keyOf({ userId, apiKeyId, snapshot }: SubjectQuestion): string {
  const { configurationId, task, targets = [] } = snapshot ?? {}
  const models = targets.map(
    ({ connectionId, modelRecordId }) => `${connectionId} ${modelRecordId}`,
  )
  return [userId, apiKeyId, configurationId, task?.taskId, ...models].join('/')
}
