import type { GateName, Verdict } from '@/lib/protocol/tool'
import { decisionWords, type GateAnswer } from '../protocol/gate-answers'

/**
 * The answer of the API and the command line about one tool. `gate` and `reason` are null when it is allowed;
 * `decision` says it in sentences, `gates` gate by gate.
 */
export type VerdictLine = {
  name: string
  allowed: boolean
  gate: GateName | null
  reason: string | null
  decision: string
  gates: GateAnswer[]
}

type Decided = { name: string; verdict: Verdict; answers: GateAnswer[] }

/** Returns one line per tool, by name in the order of code units, as in a run's first event. */
export function toVerdictLines(tools: readonly Decided[]): VerdictLine[] {
  return tools.map(toLine).sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

function toLine({ name, verdict, answers: gates }: Decided): VerdictLine {
  const decision = decisionWords(verdict, gates)
  if (verdict.allowed) return { name, allowed: true, gate: null, reason: null, decision, gates }
  const { gate, reason } = verdict
  return { name, allowed: false, gate, reason, decision, gates }
}
