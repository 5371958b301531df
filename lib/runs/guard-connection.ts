import 'server-only'
import { claimProbe, type ProbeClaim, releaseProbe } from '@/lib/connections/claim-probe'
import {
  type AskedConnection,
  clearFailures,
  isActionable,
  noteActionable,
} from '@/lib/connections/connection-failures'
import { noteAnswer } from '@/lib/connections/note-answer'
import { noteFailure } from '@/lib/connections/note-failure'
import { log } from '@/lib/log'
import { newId } from '@/lib/new-id'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'
import type { ModelEvent } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { forgetHeard, heardConnection } from './heard-connections'

/** `firstEventMs`: how long its provider may take until it says anything. */
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
 * Asks a provider through its connection's circuit breaker, which all processes share (SPEC R15). While it is open the
 * answer is a failure at once and nothing is sent. A breaker that cannot be read or written lets everything pass.
 */
export async function* guardConnection(
  target: Target,
  ask: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  const state = (await quietly(() => stateOf(target))) ?? { type: 'closed' }
  if (state.type === 'open') {
    yield { type: 'error', failure: refusal(target, state) }
    return
  }
  let answered = false
  const asked = { ...target, askedAt: Date.now() }
  for await (const event of ask()) {
    if (event.type === 'error') await quietly(() => note(asked, event.failure, state))
    else if (event.type === 'finish' || (state.type === 'probe' && !answered)) {
      answered = true
      await quietly(() => noteUnlessKnown(asked))
    }
    yield event
  }
}

async function stateOf({ connectionId, firstEventMs }: Target): Promise<ProbeClaim> {
  const heard = await heardConnection(connectionId)
  return heard?.open ? claimProbe(connectionId, firstEventMs) : { type: 'closed' }
}

async function note(asked: Asked, failure: ProviderFailure, state: ProbeClaim): Promise<void> {
  // Nothing was sent, or one key alone is concerned: nothing is known of the connection that was not before.
  if (failure.cause === 'keys-busy' || failure.cause === 'others-busy') {
    if (state.type === 'probe') await releaseProbe(asked.connectionId)
    return forgetHeard()
  }
  const meaning = meanings[failure.category]
  const { connectionId } = asked
  if (isActionable(failure.category)) {
    await noteActionable(asked, failure)
    forgetHeard()
  }
  if (meaning === 'answers') return noteIfFailing(asked)
  if (meaning === 'broken') await noteFailure(connectionId, failure, asked.askedAt)
  else if (state.type === 'probe') await releaseProbe(connectionId)
  forgetHeard()
}

/** A refusal ends a series of failures; where nothing failed it is no sign that the connection can be used. */
async function noteIfFailing(asked: Asked): Promise<void> {
  if ((await heardConnection(asked.connectionId))?.failing) await noteHeard(asked)
}

async function noteUnlessKnown(asked: Asked): Promise<void> {
  const heard = await heardConnection(asked.connectionId)
  if (!heard?.known || heard.failing) await noteHeard(asked)
  if (!heard?.scopes.some((scope) => scope === '' || scope === asked.modelRecordId)) return
  await clearFailures(asked)
  forgetHeard()
}

async function noteHeard({ connectionId, askedAt }: Asked): Promise<void> {
  await noteAnswer(connectionId, askedAt)
  forgetHeard()
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

/** The breaker is a help, not a gate: its own faults stop no request. */
async function quietly<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.warn({ source: 'circuit', error: String(error) }, 'Cannot read the health of a connection')
    return null
  }
}
