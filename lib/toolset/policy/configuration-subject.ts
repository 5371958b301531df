import {
  grantedBySkills,
  limitingSkills,
  type SubjectConfiguration,
} from '@/lib/engines/runtime/policy/subject'
import { stricterAfterUntrusted } from '@/lib/protocol/flow'
import { type LeastTrusted, leastTrusted } from '@/lib/protocol/model/model-target'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { DataClass } from '@/lib/protocol/tool'
import { toolAccess } from '@/lib/protocol/tool-access'
import type { PolicyState } from './read-policy-state'

/**
 * Returns what a run may use by its configuration, both at the start of the run and now, whichever is stricter. So
 * taking a right away affects active runs, and giving one never extends them (SPEC R1, G-X). The skills of the
 * configuration and of the task are combined (SPEC G-S); a deleted task has none. Skills whose file changed or is
 * missing still limit (ADR 010).
 */
export function configurationSubject(
  snapshot: RunSnapshot,
  {
    configuration: now,
    task,
    connections,
  }: Pick<PolicyState, 'configuration' | 'task' | 'connections'>,
): SubjectConfiguration {
  const granted = grantedThen(snapshot)
  const skillsNow = now ? [...now.skills, ...(task?.skills ?? [])] : []
  const allowedThen = toolAccess(snapshot)
  return {
    // Only a test of a model has none, and gates are not asked about it.
    id: snapshot.configurationId ?? '',
    name: snapshot.configurationName,
    task: snapshot.task?.name ?? null,
    closed: null,
    allowed: now ? toolAccess(now) : allowedThen,
    allowedThen,
    leastTrusted: leastTrustedNow(snapshot, connections),
    raisedDataClass: now
      ? lesser(snapshot.raisedDataClass, now.raisedDataClass)
      : snapshot.raisedDataClass,
    afterUntrusted: stricterAfterUntrusted(
      snapshot.afterUntrusted ?? 'allow',
      now?.afterUntrusted ?? 'allow',
    ),
    ...(snapshot.memoryInPrompt && { memoryInPrompt: true }),
    ...(snapshot.startsNoRuns && { startsNoRuns: snapshot.startsNoRuns }),
    ...(snapshot.startedFrom !== undefined && { startedFrom: snapshot.startedFrom }),
    grantedBySkills: now ? both(granted, grantedBySkills(skillsNow)) : granted,
    limitingSkills: [...limitingSkills(snapshot.skills), ...limitingSkills(skillsNow)],
  }
}

function grantedThen({ grantedBySkills: kept, skills }: RunSnapshot): ReadonlySet<string> | null {
  return kept === undefined ? grantedBySkills(skills) : kept && new Set(kept)
}

/** Returns what both allow; null allows everything. */
function both(
  a: ReadonlySet<string> | null,
  b: ReadonlySet<string> | null,
): ReadonlySet<string> | null {
  if (a === null || b === null) return a ?? b
  return new Set([...a].filter((name) => b.has(name)))
}

/** Returns the lower one. Null raises nothing, so it is the lower one. */
export function lesser(a: DataClass | null, b: DataClass | null): DataClass | null {
  if (a === null || b === null) return null
  return DataClass.options.indexOf(a) <= DataClass.options.indexOf(b) ? a : b
}

/** Returns the provider that is trusted least, of the chain as it was and as its connections are now. */
function leastTrustedNow(
  { targets }: RunSnapshot,
  connections: PolicyState['connections'],
): LeastTrusted {
  const now = new Map(connections.map((connection) => [connection.id, connection]))
  const least = leastTrusted(
    targets.flatMap((target) => [target, { ...target, ...now.get(target.connectionId) }]),
  )
  if (!least) throw new Error('A configuration without a model.')
  return least
}
