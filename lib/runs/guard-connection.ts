import 'server-only'
import { v7 as newId } from 'uuid'
import { claimProbe, type ProbeClaim, releaseProbe } from '@/lib/connections/claim-probe'
import { noteAnswer } from '@/lib/connections/note-answer'
import { noteFailure } from '@/lib/connections/note-failure'
import { log } from '@/lib/log'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/failure'
import type { ModelEvent } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { forgetHeard, heardConnection } from './heard-connections'

/** `firstEventMs`: how long its provider may take until it says anything. */
type Target = Pick<ModelTarget, 'connectionId' | 'connectionName'> & { firstEventMs: number }
type OpenCircuit = Extract<ProbeClaim, { type: 'open' }>

/** What a failure says about its connection: that it is broken, that it answers, or nothing. */
const meanings: Record<FailureCategory, 'broken' | 'answers' | 'nothing'> = {
  connection: 'broken',
  timeout: 'broken',
  server: 'broken',
  overloaded: 'broken',
  auth: 'answers',
  forbidden: 'answers',
  'not-found': 'answers',
  'rate-limited': 'answers',
  'bad-request': 'answers',
  'context-length': 'answers',
  'invalid-response': 'nothing',
  cancelled: 'nothing',
  egress: 'nothing',
  'circuit-open': 'nothing',
  'connection-changed': 'nothing',
}

/**
 * Asks a provider through its connection's circuit breaker, which all processes share (SPEC R15). While it is open the
 * answer is a failure at once and nothing is sent. A breaker that cannot be read or written lets everything pass.
 */
export async function* guardConnection(
  target: Target,
  ask: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent, void> {
  const { connectionId } = target
  const state = (await quietly(() => stateOf(target))) ?? { type: 'closed' }
  if (state.type === 'open') {
    yield { type: 'error', failure: refusal(target, state) }
    return
  }
  let answered = false
  for await (const event of ask()) {
    if (event.type === 'error') await quietly(() => note(connectionId, event.failure, state))
    else if (event.type === 'finish' || (state.type === 'probe' && !answered)) {
      answered = true
      await quietly(() => noteUnlessKnown(connectionId))
    }
    yield event
  }
}

async function stateOf({ connectionId, firstEventMs }: Target): Promise<ProbeClaim> {
  const heard = await heardConnection(connectionId)
  return heard?.open ? claimProbe(connectionId, firstEventMs) : { type: 'closed' }
}

async function note(
  connectionId: string,
  failure: ProviderFailure,
  state: ProbeClaim,
): Promise<void> {
  const meaning = meanings[failure.category]
  if (meaning === 'answers') return noteIfFailing(connectionId)
  if (meaning === 'broken') await noteFailure(connectionId, failure)
  else if (state.type === 'probe') await releaseProbe(connectionId)
  forgetHeard()
}

/** A refusal ends a series of failures; where nothing failed it is no sign that the connection can be used. */
async function noteIfFailing(connectionId: string): Promise<void> {
  if ((await heardConnection(connectionId))?.failing) await noteHeard(connectionId)
}

async function noteUnlessKnown(connectionId: string): Promise<void> {
  const heard = await heardConnection(connectionId)
  if (!heard || heard.failing) await noteHeard(connectionId)
}

async function noteHeard(connectionId: string): Promise<void> {
  await noteAnswer(connectionId)
  forgetHeard()
}

function refusal({ connectionName }: Target, open: OpenCircuit): ProviderFailure {
  const { failures, leftMs, advice } = open
  const pause =
    leftMs > 0
      ? `nothing is sent to it for another ${Math.ceil(leftMs / 1000)} s`
      : 'one other request is trying it now'
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
    log.warn({ source: 'circuit', error: String(error) }, 'Cannot tell how a connection does')
    return null
  }
}
