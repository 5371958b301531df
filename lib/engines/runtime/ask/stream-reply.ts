import { openDeltaBatcher } from '@/lib/engines/runtime/delta-batcher'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import { isHandover, type RunStep } from '@/lib/engines/runtime/run-step'
import type { Usage } from '@/lib/protocol/cost/money'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { MayResend, ModelFinish, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { adapterFault, brokenOff } from './fall-back'
import { withMeantNames } from './offered-names'
import { recordNotes } from './plan-request'
import { readTextCalls } from './prompted-mode'

/** Time that a provider has to stop before its stream is abandoned (SPEC R9). */
const stopGraceMs = 1000

/** Facts of every reply. `resent`: number of requests that the adapter repeated itself. */
export type Streamed = {
  /** The names and arguments of calls that were shown: they count as output of an answer that broke off. */
  draftText: string
  resent: number
  latencyMs: number
  firstTokenMs: number | null
}

/**
 * End of a request to a model. `part`: the text and calls until then. `refused`: nothing was received that may have to
 * be paid for. `shown`: text or a call was shown, so there is no silent retry and no fallback; reasoning alone does not
 * count (SPEC R15). `stopped`: the step was stopped; `part` is null when the provider had refused before, and empty
 * when it had not answered yet, because the input may have to be paid for (SPEC M5). `handed-over`: stopped, but
 * another process repeats the request, because a part would look like a truncated answer.
 */
type Ending =
  | { type: 'answered'; finish: ModelFinish }
  | { type: 'refused'; failure: ProviderFailure }
  | { type: 'broke-off'; failure: ProviderFailure; part: ModelFinish; shown: boolean }
  | { type: 'stopped'; part: ModelFinish | null }
  | { type: 'handed-over'; part: ModelFinish | null }

export type Reply = Streamed & Ending

type Seen = {
  text: string
  reasoning: string
  drafts: string
  called: boolean
  firstAt: number | null
  finish: ModelFinish | null
  failure: ProviderFailure | null
  /** The usage of an answer that failed. */
  usage: Usage | null
  resent: number
  notes: string[]
}

const nothingSeen: Seen = {
  text: '',
  reasoning: '',
  drafts: '',
  called: false,
  firstAt: null,
  finish: null,
  failure: null,
  usage: null,
  resent: 0,
  notes: [],
}

type Asked = { round: number; target: ModelTarget; request: ModelRequest; mayResend: MayResend }

/**
 * Asks a model once, shows its answer as it streams, and records what the adapter sent otherwise than set. Never
 * throws for a fault of a provider.
 */
export async function streamReply(step: RunStep, input: Asked): Promise<Reply> {
  const { now } = step.deps
  const askedAt = now()
  const seen: Seen = { ...nothingSeen }
  const deltas = openDeltaBatcher(step, input.round)
  try {
    await waitOrAbandon(consume(step, input, seen, deltas), step)
  } finally {
    deltas.close()
  }
  recordNotes(step, input.round, seen.notes)
  return {
    ...endingOf(step, seen),
    draftText: seen.drafts,
    resent: seen.resent,
    latencyMs: now() - askedAt,
    firstTokenMs: seen.firstAt === null ? null : seen.firstAt - askedAt,
  }
}

async function consume(
  step: RunStep,
  { target, request, mayResend }: Asked,
  seen: Seen,
  deltas: ReturnType<typeof openDeltaBatcher>,
): Promise<void> {
  const { deps } = step
  try {
    const events = deps.streamModel(target, request, step.signal, mayResend)
    const read = request.toolsInText ? readTextCalls(events) : events
    for await (const event of withMeantNames(read, deps.tools)) {
      if (event.type === 'finish' || event.type === 'error') {
        if (event.type === 'finish') seen.finish = event
        else {
          seen.failure = event.failure
          seen.usage = event.usage ?? null
        }
        seen.resent = event.resent ?? 0
        seen.notes = event.notes ?? []
        return
      }
      seen.firstAt ??= deps.now()
      switch (event.type) {
        case 'text-delta':
          seen.text += event.text
          deltas.push(textDelta, event.text)
          break
        case 'reasoning-delta':
          seen.reasoning += event.text
          deltas.push(reasoningDelta, event.text)
          break
        case 'tool-call-delta':
          seen.called = true
          seen.drafts += event.argumentsText || event.name
          deltas.push({ kind: 'call', index: event.index, name: event.name }, event.argumentsText)
          break
        default:
          event satisfies never
      }
    }
  } catch (error) {
    if (error instanceof JournalLostError) throw error
    seen.failure = adapterFault(step, error)
  }
}

const textDelta = { kind: 'text' } as const
const reasoningDelta = { kind: 'reasoning' } as const

/** Waits for the stream; after the step was stopped, at most `stopGraceMs`. */
function waitOrAbandon(stream: Promise<void>, step: RunStep): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel: (() => void) | null = null
    const giveUp = () => {
      cancel = step.deps.after(stopGraceMs, resolve)
    }
    const settled = () => {
      cancel?.()
      step.signal.removeEventListener('abort', giveUp)
    }
    if (step.signal.aborted) giveUp()
    else step.signal.addEventListener('abort', giveUp)
    stream.finally(settled).then(resolve, reject)
  })
}

function endingOf(step: RunStep, seen: Seen): Ending {
  const whole = seen.finish && !isEmptyCut(seen.finish) ? seen.finish : null
  const isHandedOver = isHandover(step.signal) && (!whole || whole.finishReason === 'cut')
  if (whole && !isHandedOver) return { type: 'answered', finish: whole }
  const hasCost = seen.firstAt !== null || seen.usage !== null
  if (step.signal.aborted) {
    const isRefused = seen.failure !== null && seen.failure.category !== 'cancelled'
    const part = hasCost || !isRefused ? partOf(seen) : null
    return { type: isHandedOver ? 'handed-over' : 'stopped', part }
  }
  const failure = failureOf(step, seen)
  if (!hasCost) return { type: 'refused', failure }
  return { type: 'broke-off', failure, part: partOf(seen), shown: hasShown(seen) }
}

/** Returns whether a stream ended before its first event, which is a broken connection and not an empty answer. */
function isEmptyCut(finish: ModelFinish): boolean {
  return finish.finishReason === 'cut' && !finish.text.trim() && finish.toolCalls.length === 0
}

function hasShown({ text, called }: Seen): boolean {
  return called || text.trim() !== ''
}

const ofConnection: ReadonlySet<FailureCategory> = new Set(['connection', 'timeout'])

/** Returns the failure, which differs for a stream that broke after reasoning and one that never started (SPEC R15). */
function failureOf(step: RunStep, seen: Seen): ProviderFailure {
  const failure = seen.failure ?? brokenOff(step, seen.finish)
  const isBroken =
    seen.failure === null || (seen.firstAt !== null && ofConnection.has(failure.category))
  return isBroken && !hasShown(seen) ? { ...failure, cause: 'broken-stream' } : failure
}

function partOf(seen: Seen): ModelFinish {
  return {
    type: 'finish',
    finishReason: 'cut',
    text: seen.text,
    reasoning: seen.reasoning ? [{ text: seen.reasoning, signature: null, redacted: false }] : [],
    toolCalls: [],
    usage: seen.finish?.usage ?? seen.usage,
  }
}
