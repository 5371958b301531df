import type { EarlierTurn } from '@/lib/engines/runtime/deps'
import { planOffer } from '@/lib/engines/runtime/deps'
import { hasFences } from '@/lib/engines/runtime/earlier-turns'
import { outputForm, outputInstructions, outputSchemaOf } from '@/lib/engines/runtime/output-check'
import { hasText } from '@/lib/engines/runtime/policy/sent-data'
import { type RunStep, startOf, warnOnce } from '@/lib/engines/runtime/run-step'
import { wireSchema } from '@/lib/json-schema/wire-schema'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { skillNote, untrustedNote } from '@/lib/protocol/model/model-text'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { formatCount } from '@/lib/words/format'
import { type ContextFit, contextLimit, fitContext, marginOf } from './fit-context'
import { messagesOf } from './messages-of'
import { offeredNames } from './offered-names'
import { asksInText, toolInstructions } from './prompted-mode'
import { sentOptions, sentParameters, unsentNotes } from './sent-parameters'

/**
 * Returns the tools of this round after a fresh decision of the gates (SPEC R2). Rejects when the state cannot be read:
 * a model that is offered no tools would answer as if there were none.
 */
export async function offerTools(step: RunStep, closing: boolean): Promise<ExecutableTool[]> {
  return closing ? [] : planOffer(step.deps.tools, await step.deps.loadSubject()).accepted
}

/**
 * `offered` are the names of the tools that the request has, some under an alias. `notes` are the parameters that are sent
 * otherwise than the configuration sets them.
 */
export type RequestPlan = ContextFit & {
  /** The most tokens that the request may have. */
  contextLimit: number
  request: ModelRequest
  offered: readonly string[]
  notes: string[]
}

/** Inputs of a plan: the same state, tools and native answers give the same request. */
export type Planning = {
  state: RunStep['state']
  deps: Pick<RunStep['deps'], 'tools' | 'earlier'> & {
    journal: Pick<RunStep['deps']['journal'], 'nativeOf'>
  }
}

export function planRequest(
  step: Planning,
  { target, index }: { target: ModelTarget; index: number },
  { tools, round }: { tools: readonly ExecutableTool[]; round: number },
): RequestPlan {
  const state = step.state()
  const start = startOf(state)
  const { snapshot } = start
  const { earlier = [] } = step.deps
  const inText = asksInText(snapshot, target)
  const offered = !inText && target.toolCalling === 'unsupported' ? [] : tools
  const hasCalls = ({ rounds }: RunState) => rounds.some((round) => round.calls.length > 0)
  const calledBefore = earlier.some((turn) => hasCalls(turn.state))
  const usesTools = offered.length > 0 || hasCalls(state) || calledBefore
  const names = offeredNames(step.deps.tools)
  const calledTools = names.offered(offered)
  const taught = inText && usesTools ? `\n\n${toolInstructions(calledTools, snapshot)}` : ''
  const sentTools = inText ? [] : offered
  const { skills, options } = snapshot
  // The same with and without notes, so that people share what providers keep of a configuration (SPEC R15d).
  const mayHaveNotes = start.memory?.type === 'read'
  const fenced =
    usesTools ||
    skills.length > 0 ||
    hasText(start.files) ||
    mayHaveNotes ||
    start.judges !== undefined ||
    earlier.some((turn) => hasFences(turn.state))
  const output = outputSchemaOf(snapshot)
  const form = output && outputForm(output, target, { hasTools: offered.length > 0, inText })
  const notes = [
    fenced ? `${untrustedNote}${skillNote(skills)}${taught}` : '',
    output && form?.taught ? outputInstructions(output) : '',
  ]
  const system = [snapshot.systemPrompt, ...notes].filter((part) => part !== '').join('\n\n')
  const parameters = sentParameters(target, snapshot.parameters)
  const sent =
    options &&
    sentOptions(target, {
      wanted: { parameters: snapshot.parameters, options },
      parameters,
      offered: sentTools.map(({ name }) => name),
      isFirstRound: round === 1,
    })
  const limit = contextLimit(target, parameters.maxOutputTokens)
  const nativeOf = nativeFor({ snapshot, nativeOf: step.deps.journal.nativeOf }, target, inText)
  const turns = earlier.map((turn) => {
    const before = { snapshot: startOf(turn.state).snapshot, nativeOf: turn.nativeOf }
    return { state: turn.state, nativeOf: nativeFor(before, target, inText) }
  })
  const messageForm = { fenced, inText, nativeOf, target, calledAs: names.calledAs }
  const frame = { system, tools: sentTools, ...messageForm }
  const fit = fitContext({ state, turns, index }, frame, limit)
  const { prunedTurns, prunedThrough } = fit
  const messages = messagesOf(state, { ...messageForm, prunedTurns, prunedThrough }, turns)
  const toolsBefore =
    inText || offered.length > 0 || !messages.some(asksForTools)
      ? []
      : names.offered(offeredLast([...earlier.map((turn) => turn.state), state], step.deps.tools))
  return {
    ...fit,
    contextLimit: limit,
    offered: offered.map(({ name }) => name),
    notes: sent?.notes ?? [],
    request: {
      modelId: target.modelId,
      system,
      messages,
      tools: inText ? [] : calledTools,
      ...(toolsBefore.length > 0 && { toolsBefore }),
      ...(inText && usesTools && { toolsInText: calledTools }),
      parameters,
      ...(sent && {
        options: {
          ...sent.options,
          toolChoice: calledChoice(sent.options.toolChoice, names.calledAs),
          outputSchema: output && form?.native ? wireSchema(output) : null,
        },
      }),
      mostOutputTokens: target.maxOutputTokens,
      contextTokens: fit.contextTokens,
      reasoning: target.reasoning ?? null,
    },
  }
}

function asksForTools(message: Message): boolean {
  return message.role === 'assistant' && message.toolCalls.length > 0
}

/** Returns the tools that a conversation was offered last, as far as they exist. */
function offeredLast(turns: readonly RunState[], tools: RunStep['deps']['tools']) {
  const rounds = turns.flatMap((turn) => turn.rounds)
  const last = rounds.findLast(({ offered }) => offered.length > 0)
  return (last?.offered ?? []).flatMap((name) => tools.get(name) ?? [])
}

type ToolChoice = NonNullable<ModelRequest['options']>['toolChoice']

/** Returns the choice with what the model calls the tool. */
function calledChoice(choice: ToolChoice, calledAs: (name: string) => string): ToolChoice {
  return typeof choice === 'object' && choice !== null ? { tool: calledAs(choice.tool) } : choice
}

export function notSent(
  { parameters, options }: RunSnapshot,
  target: ModelTarget,
  { request }: RequestPlan,
  round: number,
): string[] {
  const inText = (request.toolsInText ?? []).length > 0 ? 'in-text' : 'none'
  const tools = request.tools.length > 0 ? 'natively' : inText
  return unsentNotes(target, { parameters, options, tools, isFirstRound: round === 1 })
}

/** Records once in a run what is sent otherwise than set: later requests are sent in the same way. */
export function recordNotes(step: RunStep, round: number, notes: readonly string[]): void {
  for (const message of notes) warnOnce(step, { round, code: 'parameter-changed', message })
}

/**
 * Returns a function that gives the native answer of a round when it came from the same connection and wire (SPEC
 * R15c), in the same tool mode; else null.
 */
function nativeFor(
  { snapshot, nativeOf }: { snapshot: RunSnapshot; nativeOf: EarlierTurn['nativeOf'] },
  target: ModelTarget,
  isInText: boolean,
): (round: RoundView) => string | null {
  return ({ round, response, calls, inText }) => {
    const from = response && snapshot.targets[response.target]
    const isSame = from?.connectionId === target.connectionId && from.wire === target.wire
    const asksAlike = calls.length === 0 || (inText !== null) === isInText
    return isSame && asksAlike ? nativeOf(round) : null
  }
}

export function tooLong({ contextTokens, modelId }: ModelTarget, plan: RequestPlan): string {
  const window = contextTokens ?? 0
  const margin = marginOf(window)
  const kept = window - plan.contextLimit - margin
  const figures = [plan.contextTokens, plan.contextLimit, window, kept, margin]
  const [needed, most, whole, answer, free] = figures.map((figure) => formatCount(figure))
  return `The next request needs about ${needed} tokens and may have ${most}: of the ${whole} tokens that the context window of ${modelId} has, ${answer} are kept for the answer and ${free} as a margin. Shorten the prompt, lower the maximum output tokens, or pick a model with a larger context window.`
}
