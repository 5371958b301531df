import { diffArrays } from 'diff'
import { z } from 'zod'
import { toolModeWords } from '@/lib/protocol/parameters/configuration-form'
import {
  defaultOptions,
  parameterDescriptors,
  parameterWords,
  schemaText,
} from '@/lib/protocol/parameters/parameters'
import { Outcome } from '@/lib/protocol/tool'
import { quickLimits } from '@/lib/words/diff-lines'
import { formatCostMicroUsd, formatCount, formatDuration } from '@/lib/words/format'
import type { RunState } from './fold-run'
import { type CallView, editedWords } from './round-view'
import { answerOf } from './run-answer'
import type { RunEventOf } from './run-event'

const between = <T extends z.ZodType>(value: T) => ({ before: value, after: value })
const outcomeTypes = Outcome.options.map(({ shape }) => shape.type.value)

/** Something that was sent differently. A `text` may be long. */
const SentDifference = z.discriminatedUnion('type', [
  z.object({ type: z.literal('value'), label: z.string(), ...between(z.string()) }),
  z.object({ type: z.literal('text'), label: z.string(), ...between(z.string()) }),
  z.object({ type: z.literal('list'), label: z.string(), ...between(z.array(z.string())) }),
])
export type SentDifference = z.infer<typeof SentDifference>

/** One call; `outcome` null = it has not ended. */
const ComparedCall = z.object({
  callId: z.string(),
  name: z.string(),
  arguments: z.string(),
  outcome: z.enum(outcomeTypes).nullable(),
  /** "Result edited by kim@example.org", in a run that goes on from another one; "" = nobody edited it. */
  edited: z.string(),
})
export type ComparedCall = z.infer<typeof ComparedCall>

const figureNames = [
  'rounds',
  'calls',
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'costMicroUsd',
  'firstTokenMs',
  'wallTimeMs',
] as const
type FigureName = (typeof figureNames)[number]

/** Differences between two runs: request, answer, time and cost. `before` is the first one. */
export const RunComparison = z.object({
  sent: z.array(SentDifference),
  answers: z.object(between(z.string())),
  /** In order, beside each other where both called the same tool; null = the run has no such call. */
  calls: z.array(z.object({ ...between(ComparedCall.nullable()), same: z.boolean() })),
  figures: z.array(
    z.object({
      name: z.enum(figureNames),
      label: z.string(),
      /** null = not known, such as a cost without prices. */
      ...between(z.number().nullable()),
      /** In words: "120 more (+8 %)", "the same". */
      difference: z.string(),
    }),
  ),
})
export type RunComparison = z.infer<typeof RunComparison>
export type ComparedFigure = RunComparison['figures'][number]

/** Returns how two runs differ. Both may still be active: then what there is so far. */
export function compareRuns(before: RunState, after: RunState): RunComparison {
  return {
    sent: sentDifferences(before.start, after.start),
    answers: { before: answerOf(before), after: answerOf(after) },
    calls: compareCalls(callsOf(before), callsOf(after)),
    figures: figureNames.map((name) => compareFigure(name, before, after)),
  }
}

type Start = RunEventOf<'run-start'>['data']

function sentDifferences(before: Start | null, after: Start | null): SentDifference[] {
  if (!before || !after) return []
  const [a, b] = [sentOf(before), sentOf(after)]
  return a.flatMap((one, place) => {
    const other = b[place]
    if (!other || JSON.stringify(one.value) === JSON.stringify(other.value)) return []
    return [differenceOf(one, other)]
  })
}

type Sent = { label: string } & (
  | { type: 'value' | 'text'; value: string }
  | { type: 'list'; value: string[] }
)

function differenceOf(one: Sent, other: Sent): SentDifference {
  const { label } = one
  if (one.type === 'list' && other.type === 'list') {
    return { type: 'list', label, before: one.value, after: other.value }
  }
  const [before, after] = [String(one.value), String(other.value)]
  return { type: one.type === 'text' ? 'text' : 'value', label, before, after }
}

/** Returns what a run sends, always in the same order. */
function sentOf({ prompt, snapshot, accepted, files = [] }: Start): Sent[] {
  const { targets, parameters, options = defaultOptions, skills } = snapshot
  const all = { ...parameters, ...options }
  const models = targets.map(({ modelId, connectionName }) => `${modelId} at ${connectionName}`)
  return [
    { type: 'value', label: 'Configuration', value: snapshot.configurationName },
    { type: 'value', label: 'Model', value: models.join(', then ') },
    { type: 'text', label: 'System prompt', value: snapshot.systemPrompt },
    { type: 'text', label: 'Prompt', value: prompt },
    ...parameterDescriptors
      .filter(({ key }) => key !== 'outputSchema')
      .map(({ key, label }) => ({
        type: 'value' as const,
        label,
        value: parameterWords(key, all),
      })),
    { type: 'text', label: 'Answer schema', value: schemaText(options.outputSchema) },
    { type: 'value', label: 'Tool mode', value: toolModeWords[snapshot.toolMode] },
    { type: 'value', label: 'Maximum rounds', value: formatCount(snapshot.maxRounds) },
    { type: 'list', label: 'Tools offered', value: accepted.map(({ name }) => name) },
    { type: 'list', label: 'Files', value: files.map(({ name }) => name) },
    {
      type: 'list',
      label: 'Skills',
      value: skills.map(({ name, version }) => `${name} version ${version}`),
    },
  ]
}

function callsOf({ rounds }: RunState): ComparedCall[] {
  return rounds.flatMap(({ calls }) => calls).map(toCompared)
}

function toCompared({ callId, name, argumentsText, state, edits }: CallView): ComparedCall {
  const outcome = state.type === 'ended' ? state.outcome.type : null
  return {
    callId,
    name,
    arguments: argumentsText,
    outcome,
    edited: editedWords(edits),
  }
}

/** Returns the calls of both in order, calls of the same tool beside each other. */
function compareCalls(
  before: readonly ComparedCall[],
  after: readonly ComparedCall[],
): RunComparison['calls'] {
  const names = (calls: readonly ComparedCall[]) => calls.map(({ name }) => name)
  const [ours, theirs] = [[...before], [...after]]
  const parts = diffArrays(names(before), names(after), quickLimits) ?? [
    { value: names(before), removed: true, added: false },
    { value: names(after), removed: false, added: true },
  ]
  return parts.flatMap(({ value, added, removed }) =>
    value.map(() => {
      const one = added ? null : (ours.shift() ?? null)
      const other = removed ? null : (theirs.shift() ?? null)
      return { before: one, after: other, same: isSame(one, other) }
    }),
  )
}

function isSame(one: ComparedCall | null, other: ComparedCall | null): boolean {
  return (
    one?.arguments === other?.arguments &&
    one?.outcome === other?.outcome &&
    (one?.edited ?? '') === (other?.edited ?? '')
  )
}

const figures: Record<
  FigureName,
  { label: string; of: (state: RunState) => number | null; words: (figure: number) => string }
> = {
  rounds: { label: 'Rounds', of: ({ rounds }) => rounds.length, words: formatCount },
  calls: { label: 'Calls', of: (state) => callsOf(state).length, words: formatCount },
  inputTokens: { label: 'Tokens in', of: ({ usage }) => usage.inputTokens, words: formatCount },
  outputTokens: { label: 'Tokens out', of: ({ usage }) => usage.outputTokens, words: formatCount },
  cachedInputTokens: {
    label: 'Tokens in from the cache',
    of: ({ usage }) => usage.cachedInputTokens,
    words: formatCount,
  },
  costMicroUsd: { label: 'Cost', of: (state) => state.costMicroUsd, words: formatCostMicroUsd },
  firstTokenMs: {
    label: 'Time to first token',
    of: ({ rounds }) => rounds[0]?.response?.firstTokenMs ?? null,
    words: formatDuration,
  },
  wallTimeMs: {
    label: 'Time in all',
    of: ({ end }) => end?.wallTimeMs ?? null,
    words: formatDuration,
  },
}

function compareFigure(name: FigureName, first: RunState, second: RunState): ComparedFigure {
  const { label, of } = figures[name]
  const [before, after] = [of(first), of(second)]
  return { name, label, before, after, difference: differenceWords(name, before, after) }
}

/** Returns a figure of a comparison as people read it. */
export function figureWords(name: FigureName, figure: number | null): string {
  if (figure !== null) return figures[name].words(figure)
  return name === 'costMicroUsd' ? 'unpriced' : 'not known'
}

function differenceWords(name: FigureName, before: number | null, after: number | null): string {
  if (before === null || after === null) return before === after ? 'not known' : 'not comparable'
  const difference = after - before
  if (difference === 0) return 'the same'
  const more = name === 'firstTokenMs' || name === 'wallTimeMs' ? 'longer' : 'more'
  const less = more === 'longer' ? 'shorter' : 'less'
  const words = `${figures[name].words(Math.abs(difference))} ${difference > 0 ? more : less}`
  if (before === 0) return words
  const percent = Math.round((difference / before) * 100)
  return percent === 0
    ? words
    : `${words} (${percent > 0 ? '+' : '−'}${formatCount(Math.abs(percent))} %)`
}
