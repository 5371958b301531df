import { reportIncident } from '@/lib/engines/runtime/deps'
import { type RunStep, startOf } from '@/lib/engines/runtime/run-step'
import type { FailedCall } from '@/lib/protocol/model/failed-call'
import type { FailureCategory, FailureCause, ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelFinish } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { type FallbackKind, fallbackKinds } from '@/lib/protocol/parameters/parameter-values'
import type {} from '@/lib/protocol/run/run-event'

/**
 * Failures that the next model of the chain may not have; null = it would have them too, or that is unknown (SPEC R15).
 */
const kinds: Record<FailureCategory, FallbackKind | null> = {
  connection: 'connection',
  timeout: 'connection',
  'circuit-open': 'connection',
  'connection-changed': 'connection',
  'rate-limited': 'rate-limited',
  overloaded: 'server',
  server: 'server',
  auth: 'auth',
  forbidden: 'auth',
  'no-credit': 'no-credit',
  'not-found': 'not-found',
  'context-length': 'context-length',
  'bad-request': null,
  'invalid-response': null,
  files: null,
  egress: null,
  cancelled: null,
}

/** Kinds that a cause decides; null = the category does. */
const kindsOfCauses: Record<FailureCause, FallbackKind | null> = {
  'web-page': 'web-page',
  'broken-stream': 'broken-stream',
  'keys-busy': null,
  'others-busy': null,
  'connection-off': null,
}

/**
 * Returns the number of the model to ask after this failure; null = there is none, it would not help, or the
 * configuration disabled it for failures of this kind. Only for failures before any text or call was shown (SPEC R15).
 */
export function fallbackAfter(
  step: RunStep,
  from: number,
  failure: ProviderFailure,
): number | null {
  const { targets } = startOf(step.state()).snapshot
  return targets[from + 1] && kindOf(failure) && !switchedOff(step, failure) ? from + 1 : null
}

/** Records that the next model is asked. */
export function fallBack(
  step: RunStep,
  { round, from, to }: { round: number; from: number; to: number },
  failure: ProviderFailure,
  failedCall: FailedCall | null = null,
): void {
  const data = { round, from, to, failure, ...(failedCall && { failedCall }) }
  step.record({ type: 'model-fallback', data })
}

/** Returns why the run ends with this failure: its advice, the models that were tried, and why the next one was not. */
export function failedForGood(step: RunStep, from: number, failure: ProviderFailure): string {
  const state = step.state()
  const { targets } = startOf(state).snapshot
  const notes = [...state.rounds.flatMap((round) => round.notes), ...state.notes]
  const left = notes.flatMap((note) => (note.type === 'fallback' ? [note.data.from] : []))
  const tried = [...new Set([...left, from])].flatMap((index) => targets[index] ?? []).map(nameOf)
  const sentences = [failure.advice]
  if (tried.length > 1) sentences.push(`The run tried ${tried.join(', then ')}.`)
  const kind = targets[from + 1] && switchedOff(step, failure)
  if (kind) {
    sentences.push(
      `The next model was not asked: the configuration ends a run after this failure (${fallbackKinds[kind]}).`,
    )
  }
  return sentences.join(' ')
}

/** Returns a failure of ours for a request that was not sent. */
export function unsentFailure(
  step: RunStep,
  category: 'connection-changed' | 'context-length' | 'files',
  advice: string,
): ProviderFailure {
  const incidentId = reportIncident(step.deps, advice)
  return { category, status: null, advice, incidentId, retryAfterMs: null }
}

/** Returns the failure of a stream that ended without its finish, or with one that has nothing whole. */
export function brokenOff(step: RunStep, finish: ModelFinish | null): ProviderFailure {
  const advice = finish?.isUnexplained
    ? 'The provider ended its answer without a reason, so its calls may be incomplete and were not run. Try again. If it always does so, an admin can say what such an answer counts as, in the settings of the connection.'
    : 'The provider closed the connection before its answer was complete. Try again.'
  return {
    category: 'connection',
    status: null,
    advice,
    incidentId: reportIncident(
      step.deps,
      finish?.isUnexplained
        ? 'The model stream ended without a finish reason.'
        : 'The model stream ended without its finish.',
    ),
    retryAfterMs: null,
    mayBeCharged: true,
  }
}

/** Returns the failure of an adapter that threw an exception. */
export function adapterFault(step: RunStep, error: unknown): ProviderFailure {
  const incidentId = reportIncident(step.deps, error)
  const advice = `The request to the model failed, or its answer could not be read. The server log has the details under incident ${incidentId}.`
  return { category: 'invalid-response', status: null, advice, incidentId, retryAfterMs: null }
}

function kindOf({ category, cause }: ProviderFailure): FallbackKind | null {
  // A revoked right ends the run, whatever else could answer (SPEC G-R).
  if (cause === 'connection-off') return null
  return (cause && kindsOfCauses[cause]) ?? kinds[category]
}

/** Returns the kind of this failure if the configuration allows no fallback for it; else null. */
function switchedOff(step: RunStep, failure: ProviderFailure): FallbackKind | null {
  const kind = kindOf(failure)
  const { options } = startOf(step.state()).snapshot
  return kind && options?.noFallbackOn.includes(kind) ? kind : null
}

function nameOf({ modelId, connectionName }: ModelTarget): string {
  return `${modelId} (${connectionName})`
}

/**
 * The longest wait, ms. When a provider asks for more, the next target is asked, or the run ends and the person
 * decides.
 */
const longestWaitMs = 60_000

/** Temporary failures: connection errors, 429 and 5xx (SPEC R15). */
const passing: ReadonlySet<FailureCategory> = new Set([
  'rate-limited',
  'overloaded',
  'server',
  'connection',
  'timeout',
])

/** Returns false when no request left this server. */
export function isSent({ category, cause }: ProviderFailure): boolean {
  return cause !== 'keys-busy' && category !== 'circuit-open' && category !== 'connection-changed'
}

/**
 * Returns the ms to wait before try `attempt + 1`: what the provider asked for, plus 250-500 ms doubled with each try,
 * so that runs that failed together do not retry together. Null = do not try this target again: `maxTries` were made,
 * or waiting does not help.
 */
export function retryDelayMs(
  failure: ProviderFailure,
  { attempt, maxTries }: { attempt: number; maxTries: number },
  random: () => number,
): number | null {
  // The failure of one key says nothing about the busy ones, which will be free again.
  const waits = failure.cause === 'others-busy' && failure.retryAfterMs !== null
  if (!waits && !passing.has(failure.category)) return null
  if (attempt >= maxTries) return null
  const askedMs = failure.retryAfterMs ?? 0
  if (askedMs > longestWaitMs) return null
  return Math.round(askedMs + 500 * 2 ** (attempt - 1) * (0.5 + random() / 2))
}
