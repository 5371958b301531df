import { faultWords } from '@/lib/protocol/asked-in-text'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { GateName, Outcome } from '@/lib/protocol/outcome'
import { defaultOptions } from '@/lib/protocol/parameters'
import type { CallView, RoundView } from '@/lib/protocol/round-view'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { ToolSpec } from '@/lib/protocol/tool'
import { canonicalJson } from './canonical-json'
import { denied, type RunStep, recordCallEnd, startOf, warn } from './run-step'

/**
 * Returns whether this model asks for tools in text (SPEC W). With `auto`: when it is known to have no tool calling; an
 * untested model uses that of its provider (ADR 018).
 */
export function asksInText(
  { toolMode }: Pick<RunSnapshot, 'toolMode'>,
  { toolCalling }: Pick<ModelTarget, 'toolCalling'>,
): boolean {
  return toolMode === 'prompted' || (toolMode === 'auto' && toolCalling === 'unsupported')
}

const toolLines = new WeakMap<ToolSpec, string>()

/** Returns one tool as a line of JSON with sorted keys: the same bytes in every request. */
function toolLine(tool: ToolSpec): string {
  const known = toolLines.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters } = tool
  const { $schema: _dialect, ...schema } = parameters
  const line = `{"name":${JSON.stringify(name)},"description":${JSON.stringify(description)},"parameters":${canonicalJson(JSON.stringify(schema))}}`
  toolLines.set(tool, line)
  return line
}

/**
 * Returns the text about tools in the system prompt of a model in prompted mode. Without tools, it says that none are
 * left, for an answer after results.
 */
export function toolInstructions(tools: readonly ToolSpec[], { options }: RunSnapshot): string {
  if (tools.length === 0) return 'No tool is available now. Answer without asking for one.'
  const hops = (options ?? defaultOptions).promptedHops
  return [
    'You can ask for the tools listed below. To ask for one, write this and nothing after it:',
    '<tool_call>{"name":"NAME","args":{}}</tool_call>',
    'NAME is the name of one tool of the list, and "args" is one JSON object that fits the schema of its parameters.',
    'Ask for one tool at a time: only the first request of an answer counts.',
    'The result is the next message, between <tool_result name="NAME"> and </tool_result>. Never write these tags yourself.',
    `You may ask ${hops === 1 ? 'once' : `${hops} times`}. When you need no tool, answer without <tool_call>.`,
    'The tools, one in each line:',
    ...tools.map(toolLine),
  ].join('\n')
}

/** Returns true for a request in text that named a tool of this site: it counts as a hop, whatever its outcome. */
function isHop({ inText, calls }: RoundView): boolean {
  return (
    inText !== null && inText.fault === null && !calls.some((call) => isDenied(call, 'registered'))
  )
}

function isDenied({ state }: CallView, gate: GateName): boolean {
  return state.type === 'ended' && state.outcome.type === 'denied' && state.outcome.gate === gate
}

/**
 * Ends a call that was requested in text and must not be checked: one request too many, or an unreadable one. Returns
 * true when it did.
 */
export function refuseInText(step: RunStep, round: RoundView): boolean {
  const { inText } = round
  const call = round.calls.find(({ state }) => state.type !== 'ended')
  if (!inText || !call) return false
  const hops = (startOf(step.state()).snapshot.options ?? defaultOptions).promptedHops
  const used = step.state().rounds.filter((each) => each.round < round.round && isHop(each)).length
  const now = step.deps.now()
  if (used >= hops) {
    const reason = `Not run: the model already asked for tools ${hops === 1 ? 'once' : `${hops} times`}, which is the limit of this configuration in prompted mode.`
    recordCallEnd(step, call, denied({ gate: 'hop-budget', reason }), now)
    return true
  }
  if (inText.fault === null) return false
  const outcome: Outcome = { type: 'invalid-arguments', issues: [faultWords[inText.fault]] }
  recordCallEnd(step, call, { verdict: { allowed: true }, outcome }, now)
  return true
}

/** Warns people and the model that only the first request of an answer counts. */
export function warnOfFurtherCalls(step: RunStep, round: number): void {
  const message =
    'The model asked for more than one tool in one answer. Only the first request counts; the others were ignored.'
  warn(step, { round, code: 'one-request-in-text', message, tellModel: true })
}

/**
 * Returns why the next answer of a run is its last one, as a sentence; null = it is not. It is after one request too
 * many, and after two unusable ones in a row (SPEC W).
 */
export function endOfAsking(rounds: readonly RoundView[]): string | null {
  const last = rounds.at(-1)
  if (!last?.inText) return null
  if (last.calls.some((call) => isDenied(call, 'hop-budget'))) {
    return 'The limit of tool requests in prompted mode was reached. The final answer was written without tools.'
  }
  const before = rounds.at(-2)
  if (!before?.inText || isHop(last) || isHop(before)) return null
  return 'The model wrote two tool requests in a row that could not be used. The final answer was written without tools.'
}
