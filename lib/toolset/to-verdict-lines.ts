import type { GateName, Verdict } from '@/lib/protocol/outcome'

/** The answer of the API and the command line about one tool; `gate` and `reason` are null when it is allowed. */
export type VerdictLine = {
  name: string
  allowed: boolean
  gate: GateName | null
  reason: string | null
}

/** One line a tool, by name in the order of code units, as in a run's first event. */
export function toVerdictLines(
  tools: readonly { name: string; verdict: Verdict }[],
): VerdictLine[] {
  return tools.map(toLine).sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

function toLine({ name, verdict }: { name: string; verdict: Verdict }): VerdictLine {
  if (verdict.allowed) return { name, allowed: true, gate: null, reason: null }
  return { name, allowed: false, gate: verdict.gate, reason: verdict.reason }
}
