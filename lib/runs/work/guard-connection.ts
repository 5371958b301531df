import 'server-only'
import {
  type AskedConnection,
  clearFailures,
  isActionable,
  recordActionableFailure,
} from '@/lib/domains/connections/connection-failures'
import {
  claimProbe,
  type ProbeClaim,
  recordConnectionAnswer,
  recordConnectionFailure,
  releaseProbe,
} from '@/lib/domains/connections/health'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { Engine } from '@/lib/runs/engine/engine'

/** The part of an engine that guards connections. */
type Guard = Pick<Engine, 'circuits' | 'database'>

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
  guard: Guard,
  target: Target,
  ask: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  const state = (await ignoringErrors(() => stateOf(guard, target))) ?? { type: 'closed' }
  if (state.type === 'open') {
    yield { type: 'error', failure: refusal(target, state) }
    return
  }
  let answered = false
  const asked = { ...target, askedAt: Date.now() }
  for await (const event of ask()) {
    if (event.type === 'error')
      await ignoringErrors(() => noteOutcome(guard, asked, event.failure, state))
    else if (event.type === 'finish' || (state.type === 'probe' && !answered)) {
      answered = true
      await ignoringErrors(() => noteAnswerIfNew(guard, asked))
    }
    yield event
  }
}

async function stateOf(
  { circuits, database }: Guard,
  { connectionId, firstEventMs }: Target,
): Promise<ProbeClaim> {
  const circuit = await circuits.read(connectionId)
  return circuit?.open ? claimProbe(database.pool, connectionId, firstEventMs) : { type: 'closed' }
}

async function noteOutcome(
  guard: Guard,
  asked: Asked,
  failure: ProviderFailure,
  state: ProbeClaim,
): Promise<void> {
  const { circuits } = guard
  const { pool } = guard.database
  // Nothing was sent, or only one key failed: that says nothing new about the connection.
  if (failure.cause === 'keys-busy' || failure.cause === 'others-busy') {
    if (state.type === 'probe') await releaseProbe(pool, asked.connectionId)
    return circuits.forget()
  }
  const meaning = meanings[failure.category]
  const { connectionId } = asked
  if (isActionable(failure.category)) {
    await recordActionableFailure(pool, asked, failure)
    circuits.forget()
  }
  if (meaning === 'answers') return noteAnswerIfFailing(guard, asked)
  if (meaning === 'broken')
    await recordConnectionFailure(pool, connectionId, failure, asked.askedAt)
  else if (state.type === 'probe') await releaseProbe(pool, connectionId)
  circuits.forget()
}

/**
 * Notes an answer if the connection was failing. A refusal ends a series of failures; otherwise it does not prove that
 * the connection works.
 */
async function noteAnswerIfFailing(guard: Guard, asked: Asked): Promise<void> {
  const circuit = await guard.circuits.read(asked.connectionId)
  if (circuit?.failing) await storeAnswer(guard, asked)
}

async function noteAnswerIfNew(guard: Guard, asked: Asked): Promise<void> {
  const { circuits } = guard
  const circuit = await circuits.read(asked.connectionId)
  if (!circuit?.known || circuit.failing) await storeAnswer(guard, asked)
  if (!circuit?.scopes.some((scope) => scope === '' || scope === asked.modelRecordId)) return
  await clearFailures(guard.database.pool, asked)
  circuits.forget()
}

async function storeAnswer(
  { circuits, database }: Guard,
  { connectionId, askedAt }: Asked,
): Promise<void> {
  await recordConnectionAnswer(database.pool, connectionId, askedAt)
  circuits.forget()
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
