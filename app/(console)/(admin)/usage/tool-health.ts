import type { ToolUsage } from '@toolgate/server/domains/usage/reads'

/** The usage of one tool. Installed tools that nobody called and removed tools that were called are included. */
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
  /** Its last call at any time, as ISO text in UTC; null = it was never called. */
  lastAt: string | null
}

type Installed = { name: string; group: string }

/** Joins the usage of a window with the installed tools. */
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
