import type { TaskForRun } from '@/lib/domains/tasks/runnable'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'

/**
 * Returns the configuration with what its task adds: the skills after its own, each once (SPEC G-S), and the cost cap.
 * A schema of the task replaces its own.
 */
export function withTask(snapshot: RunSnapshot, task: TaskForRun | null): RunSnapshot {
  if (!task) return snapshot
  const known = new Set(snapshot.skills.map(({ skillId }) => skillId))
  const more = task.skills.filter(({ skillId }) => !known.has(skillId))
  return {
    ...withSchema(snapshot, task.outputSchema),
    task: task.facts,
    skills: [...snapshot.skills, ...more],
    costCaps: [...snapshot.costCaps, ...task.costCaps],
  }
}

/** Returns the snapshot with this schema for its answer; null = with the one it has. */
export function withSchema(snapshot: RunSnapshot, outputSchema: JsonObject | null): RunSnapshot {
  if (!outputSchema) return snapshot
  return { ...snapshot, options: { ...(snapshot.options ?? defaultOptions), outputSchema } }
}
