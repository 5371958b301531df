import type { ToolMeta } from '@/lib/protocol/tool'
import { askGate, type GateAnswer } from './gate'
import { gates } from './gates'
import { notRegistered } from './registered'
import type { Subject } from './subject'

/**
 * Every gate with its answer, in the order `decideTool` asks them; here the ones after a no are asked, too. The first
 * no is the verdict. A tool that is not registered has no other gate.
 */
export function explainTool(tool: ToolMeta | undefined, subject: Subject): GateAnswer[] {
  if (!tool) return [{ gate: notRegistered.gate, reason: notRegistered.reason }]
  return gates.map((gate) => askGate(gate, tool, subject))
}
