import type { CaseVerdict, JudgedCase, StoredCase } from '@/lib/domains/policy-cases/shape'
import { caseGateTitle, expectedWords } from '@/lib/domains/policy-cases/shape'
import { refusedByRule, rulesForCall } from '@/lib/engines/runtime/call/approvals'
import { parseArguments } from '@/lib/engines/runtime/call/execute-tool'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import type { Subject } from '@/lib/engines/runtime/policy/subject'
import { gateTitle } from '@/lib/protocol/gate-answers'
import type { Denial, ExecutableTool } from '@/lib/protocol/tool'

/** Decision about a call with its arguments, without a freeze and without rates. */
export type CaseDecision =
  | { type: 'allowed' }
  | { type: 'asks'; rule: string }
  | { type: 'refused'; denial: Denial }
  | { type: 'unfit'; issues: readonly string[] }

/**
 * Returns what happens to a call of this tool with these arguments: the gates' decision, then that of the rules, as before each
 * call of a run (SPEC G, G-D). A freeze and rates are left out, because they are no part of what a case is about.
 */
export function decideCase(
  tool: ExecutableTool,
  argumentsText: string,
  subject: Subject,
): CaseDecision {
  const asked = { ...subject, frozen: null, accounts: new Map(), rates: new Map() }
  const verdict = decideTool(tool, asked)
  if (!verdict.allowed) return { type: 'refused', denial: verdict }
  const parsed = parseArguments(tool, argumentsText)
  if (!parsed.ok) return { type: 'unfit', issues: parsed.issues }
  const rule = rulesForCall(tool, { argumentsText }, asked).find(
    ({ action }) => action !== 'observe',
  )
  if (!rule) return { type: 'allowed' }
  if (rule.action !== 'deny') return { type: 'asks', rule: rule.name }
  return { type: 'refused', denial: refusedByRule(tool, { argumentsText }, rule) }
}

type Expected = Pick<StoredCase, 'id' | 'name' | 'expects' | 'gate'>

/** Returns whether a case expects this decision, with the decision in words. */
export function judgeDecision(
  { id, name, expects, gate }: Expected,
  decision: CaseDecision,
): JudgedCase {
  const isExpected =
    decision.type === expects &&
    (gate === null || (decision.type === 'refused' && decision.denial.gate === gate))
  const now = decisionText(decision)
  if (isExpected) return { id, name, verdict: 'passed', says: now }
  const wanted = gate === null ? expectedWords[expects] : `is refused (${caseGateTitle(gate)})`
  return { id, name, verdict: 'failed', says: `Expected: the call ${wanted}. ${now}` }
}

function decisionText(decision: CaseDecision): string {
  switch (decision.type) {
    case 'allowed':
      return 'The call starts without a question.'
    case 'asks':
      return `The call waits for approval: ${decision.rule}.`
    case 'refused':
      return `The call is refused (${gateTitle(decision.denial)}): ${decision.denial.reason}`
    case 'unfit':
      return `The tool does not accept the arguments: ${decision.issues.join(' ')}`
    default:
      return decision satisfies never
  }
}

/** Returns the answer about a case that cannot be asked, because what it names is gone. */
export function goneCase({ id, name }: Pick<StoredCase, 'id' | 'name'>, says: string): JudgedCase {
  const verdict: CaseVerdict = 'gone'
  return { id, name, verdict, says }
}
