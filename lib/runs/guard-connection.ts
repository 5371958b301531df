import 'server-only'
import { claimProbe, type ProbeClaim, releaseProbe } from '@/lib/domains/connections/claim-probe'
import {
  type AskedConnection,
  clearFailures,
  isActionable,
  noteActionable,
} from '@/lib/domains/connections/connection-failures'
import { noteAnswer } from '@/lib/domains/connections/note-answer'
import { noteFailure } from '@/lib/domains/connections/note-failure'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'
import type { ModelEvent } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { cachedCircuit, forgetCircuits } from './cached-circuits'

/** `firstEventMs`: how long its provider may take until its first event. */
type Target = Pick<ModelTarget, 'connectionName'> &
  Omit<Asked, 'askedAt'> & { firstEventMs: number }
type Asked = AskedConnection
type OpenCircuit = Extract<ProbeClaim, { type: 'open' }>

/** What a failure says about its connection: that it is broken, that it answers, or nothing. */
const meanings: Record<FailureCategory, 'broken' | 'answers' | 'nothing'> = {
  connection: 'broken',
  timeout: 'broken',
  server: 'broken',
  overloaded: 'broken',
  auth: 'answers',
  forbidden: 'answers',
  'no-credit': 'answers',
  'not-found': 'answers',
  'rate-limited': 'answers',
  'bad-request': 'answers',
  'context-length': 'answers',
  'invalid-response': 'nothing',
  cancelled: 'nothing',
  egress: 'nothing',
  'circuit-open': 'nothing',
  'connection-changed': 'nothing',
  files: 'nothing',
}

/**
 * Asks a provider through its connection's circuit breaker, which all processes share (SPEC R15). While it is open,
 * yields a failure at once and sends nothing. When the breaker cannot be read or written, every request passes.
 */
export async function* guardConnection(
  target: Target,
  ask: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  const state = (await ignoringErrors(() => stateOf(target))) ?? { type: 'closed' }
  if (state.type === 'open') {
    yield { type: 'error', failure: refusal(target, state) }
    return
  }
  let answered = false
  const asked = { ...target, askedAt: Date.now() }
  for await (const event of ask()) {
    if (event.type === 'error') await ignoringErrors(() => noteOutcome(asked, event.failure, state))
    else if (event.type === 'finish' || (state.type === 'probe' && !answered)) {
      answered = true
      await ignoringErrors(() => noteAnswerIfNew(asked))
    }
    yield event
  }
}

async function stateOf({ connectionId, firstEventMs }: Target): Promise<ProbeClaim> {
  const circuit = await cachedCircuit(connectionId)
  return circuit?.open ? claimProbe(connectionId, firstEventMs) : { type: 'closed' }
}

async function noteOutcome(
  asked: Asked,
  failure: ProviderFailure,
  state: ProbeClaim,
): Promise<void> {
  // Nothing was sent, or only one key failed: that says nothing new about the connection.
  if (failure.cause === 'keys-busy' || failure.cause === 'others-busy') {
    if (state.type === 'probe') await releaseProbe(asked.connectionId)
    return forgetCircuits()
  }
  const meaning = meanings[failure.category]
  const { connectionId } = asked
  if (isActionable(failure.category)) {
    await noteActionable(asked, failure)
    forgetCircuits()
  }
  if (meaning === 'answers') return noteAnswerIfFailing(asked)
  if (meaning === 'broken') await noteFailure(connectionId, failure, asked.askedAt)
  else if (state.type === 'probe') await releaseProbe(connectionId)
  forgetCircuits()
}

/** A refusal ends a series of failures. Without one before it, it does not prove that the connection can be used. */
async function noteAnswerIfFailing(asked: Asked): Promise<void> {
  if ((await cachedCircuit(asked.connectionId))?.failing) await storeAnswer(asked)
}

async function noteAnswerIfNew(asked: Asked): Promise<void> {
  const circuit = await cachedCircuit(asked.connectionId)
  if (!circuit?.known || circuit.failing) await storeAnswer(asked)
  if (!circuit?.scopes.some((scope) => scope === '' || scope === asked.modelRecordId)) return
  await clearFailures(asked)
  forgetCircuits()
}

async function storeAnswer({ connectionId, askedAt }: Asked): Promise<void> {
  await noteAnswer(connectionId, askedAt)
  forgetCircuits()
}

function refusal({ connectionName }: Target, open: OpenCircuit): ProviderFailure {
  const { failures, leftMs, advice } = open
  const pause =
    leftMs > 0
      ? `it is paused for another ${Math.ceil(leftMs / 1000)} s`
      : 'another request is testing it now'
  return {
    category: 'circuit-open',
    status: null,
    advice: `${connectionName} failed ${failures} times in a row, so ${pause}. Wait, or add a fallback model to the configuration. The last failure: ${advice}`,
    incidentId: newId(),
    retryAfterMs: leftMs,
  }
}

/** Returns null where `work` fails, and logs why: a fault of the circuit breaker itself must not stop a request. */
async function ignoringErrors<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.warn({ source: 'circuit', error: String(error) }, 'Cannot read the health of a connection')
    return null
  }
}
