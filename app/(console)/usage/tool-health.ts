import type { ToolUsage } from '@/lib/usage/read-tool-usage'

/** One tool and how it did: those that are here and nobody asked for, too; those that are gone, still. */
export type ToolHealth = {
  name: string
  group: string | null
  installed: boolean
  calls: number
  runs: number
  failed: number
  denied: number
  p50Ms: number | null
  p95Ms: number | null
  /** When it was last asked for, ever; ISO text in UTC, null = never. */
  lastAt: string | null
}

type Installed = { name: string; group: string }

/** What was used in a time, beside what there is. */
export function toolHealth(
  installed: readonly Installed[],
  used: readonly ToolUsage[],
  lastCalls: ReadonlyMap<string, string>,
): ToolHealth[] {
  const usage = new Map(used.map((tool) => [tool.toolName, tool]))
  const groups = new Map(installed.map(({ name, group }) => [name, group]))
  const names = new Set([...groups.keys(), ...usage.keys()])
  return [...names].map((name) => {
    const figures = usage.get(name)
    return {
      name,
      group: groups.get(name) ?? null,
      installed: groups.has(name),
      calls: figures?.calls ?? 0,
      runs: figures?.runs ?? 0,
      failed: (figures?.failed ?? 0) + (figures?.invalid ?? 0),
      denied: figures?.denied ?? 0,
      p50Ms: figures?.p50Ms ?? null,
      p95Ms: figures?.p95Ms ?? null,
      lastAt: lastCalls.get(name) ?? null,
    }
  })
}
