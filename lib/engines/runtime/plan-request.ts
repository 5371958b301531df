import type { RunState } from '@/lib/protocol/fold-run'
import type { ModelRequest } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { skillNote, untrustedNote } from '@/lib/protocol/model-text'
import type { RoundView } from '@/lib/protocol/round-view'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { wireSchema } from '@/lib/protocol/wire-schema'
import { frameTokens, messageTokens, type RequestFrame, roundTokens } from './count-tokens'
import { planOffer } from './deps'
import { messagesOf, promptMessage } from './messages-of'
import { offeredNames } from './offered-names'
import { outputForm, outputInstructions, outputSchemaOf } from './output-check'
import { hasText } from './policy/gates'
import { asksInText, toolInstructions } from './prompted-mode'
import { type RunStep, startOf, warnOnce } from './run-step'
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
  request: ModelRequest
  offered: readonly string[]
  notes: string[]
}

/** What a plan reads of a step: the same state, tools and native answers give the same request. */
export type Planning = {
  state: RunStep['state']
  deps: Pick<RunStep['deps'], 'tools'> & {
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
  const inText = asksInText(snapshot, target)
  const offered = !inText && target.toolCalling === 'unsupported' ? [] : tools
  const usesTools = offered.length > 0 || state.rounds.some((round) => round.calls.length > 0)
  const names = offeredNames(step.deps.tools)
  const calledTools = names.offered(offered)
  const taught = inText && usesTools ? `\n\n${toolInstructions(calledTools, snapshot)}` : ''
  const sentTools = inText ? [] : offered
  const { skills, options } = snapshot
  // The same with and without notes, so that people share what providers keep of a configuration (SPEC R15d).
  const mayHaveNotes = start.memory?.type === 'read'
  const fenced = usesTools || skills.length > 0 || hasText(start.files) || mayHaveNotes
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
  const nativeOf = nativeFor(step, snapshot, target)
  const messageForm = { fenced, inText, nativeOf, target, calledAs: names.calledAs }
  const fit = fitContext(state, index, { system, tools: sentTools, ...messageForm }, limit)
  return {
    ...fit,
    offered: offered.map(({ name }) => name),
    notes: sent?.notes ?? [],
    request: {
      modelId: target.modelId,
      system,
      messages: messagesOf(state, { ...messageForm, prunedThrough: fit.prunedThrough }),
      tools: inText ? [] : calledTools,
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
  { deps: { journal } }: Planning,
  snapshot: RunSnapshot,
  target: ModelTarget,
): (round: RoundView) => string | null {
  const isInText = asksInText(snapshot, target)
  return ({ round, response, calls, inText }) => {
    const from = response && snapshot.targets[response.target]
    const isSame = from?.connectionId === target.connectionId && from.wire === target.wire
    const asksAlike = calls.length === 0 || (inText !== null) === isInText
    return isSame && asksAlike ? journal.nativeOf(round) : null
  }
}

export function tooLong({ contextTokens, modelId }: ModelTarget, plan: RequestPlan): string {
  const needed = plan.contextTokens.toLocaleString('en')
  const window = (contextTokens ?? 0).toLocaleString('en')
  return `The next request needs about ${needed} tokens, but the context window of ${modelId} is ${window} tokens, including the answer. Shorten the prompt or pick a model with a larger context window.`
}

/**
 * Returns the tokens that a request to this target may have: window - max output - 3 % (SPEC R13). The maximum of the
 * model itself reserves at most half of the window; an unknown one counts as 4,096. Infinite when the window is
 * unknown.
 */
export function contextLimit(target: ModelTarget, maxOutputTokens: number | null): number {
  if (target.contextTokens === null) return Number.POSITIVE_INFINITY
  const half = Math.floor(target.contextTokens / 2)
  const output = maxOutputTokens ?? Math.min(target.maxOutputTokens ?? 4096, half)
  return target.contextTokens - output - Math.ceil(target.contextTokens * 0.03)
}

type ContextFit = {
  prunedThrough: number
  /** The best estimate, corrected by what the provider reported of an earlier request. */
  contextTokens: number
  fits: boolean
  /** The correction; null = the provider has reported nothing usable. */
  report: InputReport | null
}

/**
 * Returns which oldest rounds to leave out so that the request to target number `index` fits `limit`; never the prompt
 * or the newest round (SPEC R13).
 */
function fitContext(
  state: RunState,
  index: number,
  request: RequestFrame,
  limit: number,
): ContextFit {
  const start = startOf(state)
  const { fenced } = request
  const tokens = new Map<RoundView, number>()
  for (const round of state.rounds) {
    if (round.response) tokens.set(round, roundTokens(round, start, request))
  }
  const tokensOf = (round: RoundView) => tokens.get(round) ?? 0
  const report = inputReport(state, index, request, tokensOf)
  const rounds = state.rounds.filter((round) => round.response && round.round > state.prunedThrough)

  let { prunedThrough } = state
  let estimate =
    frameTokens(request) +
    messageTokens(promptMessage(start, { fenced, pruned: prunedThrough > 0 })) +
    rounds.reduce((sum, round) => sum + tokensOf(round), 0)
  for (const round of rounds.slice(0, -1)) {
    if (corrected(estimate, report) <= limit) break
    estimate -= tokensOf(round)
    prunedThrough = round.round
  }
  const contextTokens = corrected(estimate, report)
  return { prunedThrough, contextTokens, fits: contextTokens <= limit, report }
}

/**
 * Returns the corrected estimate. The reported figure counts, and only the difference to it is estimated, at the same
 * ratio.
 */
function corrected(estimate: number, report: InputReport | null): number {
  if (!report) return estimate
  return Math.max(1, Math.ceil(report.inputTokens + report.scale * (estimate - report.estimate)))
}

/** What a provider last counted for a request of this run. */
export type InputReport = {
  inputTokens: number
  /** Our estimate of that request. */
  estimate: number
  /** Tokens that the provider counts for each estimated one. */
  scale: number
  /** The answered rounds after that request: its own, and those since. */
  since: RoundView[]
  /** What the model calls the tools that it offered. */
  offered: readonly string[]
}

/** A short text says little about the scale, so this many tokens at scale 1 are added to it. */
const prior = 1_000
/** A provider that reports fewer for a long text counted only what was not cached. */
const leastScale = 0.4
const mostScale = 3

/**
 * Returns the newest report of the target number `index`; null = it has sent none that is plausible. `tokensOf` returns
 * our estimate of each answered round.
 */
function inputReport(
  state: RunState,
  index: number,
  request: RequestFrame,
  tokensOf: (round: RoundView) => number,
): InputReport | null {
  const at = state.rounds.findLastIndex(
    ({ response }) => response?.target === index && !response.usage.estimated,
  )
  const round = state.rounds[at]
  if (!round?.response) return null
  const { inputTokens } = round.response.usage
  const start = startOf(state)
  const before = state.rounds.slice(0, at)
  const pruned = prunedBy(before, prunedBy([round], 0))
  const { system, tools, fenced } = request
  const offered = tools.filter((tool) => round.offered.includes(tool.name))
  let estimate =
    frameTokens({ system, tools: offered }) +
    messageTokens(promptMessage(start, { fenced, pruned: pruned > 0 }))
  for (const one of before) if (one.response && one.round > pruned) estimate += tokensOf(one)
  const scale = (inputTokens + prior) / (estimate + prior)
  if (inputTokens === 0 || scale < leastScale) return null
  const since = state.rounds.slice(at).filter((one) => one.response)
  return {
    inputTokens,
    estimate,
    scale: Math.min(scale, mostScale),
    since,
    offered: round.offered.map((name) => request.calledAs?.(name) ?? name),
  }
}

/** Returns the last round that was left out when these had been asked, at least `least`. */
function prunedBy(rounds: readonly RoundView[], least: number): number {
  let most = least
  for (const { notes } of rounds) {
    for (const { type, data } of notes) {
      if (type === 'warning') most = Math.max(most, data.prunedThrough ?? 0)
    }
  }
  return most
}
