import 'server-only'
import { openConnection, openKeys } from '@/lib/domains/connections/open-connection'
import {
  type BusyKey,
  clearKey,
  pauseKey,
  type TakenKey,
  takeKey,
} from '@/lib/domains/connections/take-key'
import { openProvider } from '@/lib/engines/providers/open-provider'
import type { Provider } from '@/lib/engines/providers/provider'
import { sleep } from '@/lib/engines/runtime/sleep'
import type { Connection } from '@/lib/generated/prisma/client'
import type { Database } from '@/lib/kernel/db'
import { newId } from '@/lib/kernel/new-id'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { MayResend, Message, ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { KeyReports } from './key-reports'
import { providerOptions } from './provider-options'

/** Time that a request waits for a free key; then another model is asked, or the same one later (SPEC R15). */
const patienceMs = 5_000

/**
 * Failures that concern the key and not the provider: another key is tried at once, and this one is paused for so many
 * ms.
 */
const pauses: Partial<Record<FailureCategory, number>> = {
  auth: 5 * 60_000,
  forbidden: 60_000,
  'no-credit': 5 * 60_000,
  'rate-limited': 10_000,
}
const longestPauseMs = 10 * 60_000

/** A connection as one run opened it. `openedAt`: when its keys were read, ms since 1970. */
export type KeyAccess = {
  pooled: boolean
  openedAt: number
  /** Streams from the provider of the connection, whose row may be newer than its keys. */
  stream: (
    row: Connection,
    request: ModelRequest,
    signal: AbortSignal,
    mayResend: MayResend,
  ) => AsyncIterable<ModelEvent>
}

/** Returns the same object each time, because adapters cache by identity. */
const portableOf = new WeakMap<Message, Message>()

/** Opens all keys of a connection, with one provider for each. */
export async function openKeyPool(
  database: Database,
  keyReports: KeyReports,
  target: ModelTarget,
  row: Connection,
): Promise<KeyAccess> {
  const openedAt = Date.now()
  const connection = await openConnection(database.client, row)
  const keys = await openKeys(database.client, row.id, connection.apiKey)
  const otherKeys = [...keys.values()]
  const providers = new Map<string, Provider>()
  for (const [id, apiKey] of keys) {
    const options = providerOptions({ ...connection, apiKey }, target.connectionName)
    const onHeaders = (headers: Record<string, string>) =>
      keyReports.noteHeaders(row.id, id, headers)
    providers.set(id, openProvider(target.wire, { ...options, otherKeys, onHeaders }))
  }
  return new KeyPool({ database, keyReports, target, openedAt, providers })
}

type PoolParts = {
  database: Database
  keyReports: KeyReports
  target: ModelTarget
  openedAt: number
  providers: ReadonlyMap<string, Provider>
}

/** The keys of a connection as one run uses them. */
class KeyPool implements KeyAccess {
  readonly pooled = true
  readonly openedAt: number
  readonly #parts: PoolParts
  /** The key that answered last. */
  #last: string | null = null
  /** The key that returned each native answer, as far as this process knows. */
  readonly #givers = new Map<string, string>()

  constructor(parts: PoolParts) {
    this.#parts = parts
    this.openedAt = parts.openedAt
  }

  /**
   * Asks a provider with a free key, chosen by weight. A run stays with the key that answered it, because caches and
   * encrypted reasoning belong to an account. A key that is refused, out of credit or rate-limited is paused, and another
   * one is tried at once.
   */
  async *stream(
    row: Connection,
    request: ModelRequest,
    signal: AbortSignal,
    mayResend: MayResend,
  ): AsyncGenerator<ModelEvent, void> {
    const { target, providers } = this.#parts
    const tried: string[] = []
    let refused: (Refused & { label: string }) | null = null
    let resent = 0
    for (;;) {
      const found = await this.#freeKey(row, { request, tried, signal })
      if (signal.aborted && !found.key) return
      if (!found.key) {
        yield failed(lastFailure(target, found.busy, refused?.failure ?? null), resent)
        return
      }
      const { key } = found
      tried.push(key.id)
      const provider = providers.get(key.id)
      // The key was added after this run opened the connection.
      if (!provider) continue
      if (refused) {
        const { label: from, failure } = refused
        if (!(await mayResend({ from, to: key.label, failure }))) {
          yield failed(failure, resent)
          return
        }
        resent += 1
      }
      const shared = sharing(request, (native) => this.#givers.get(native) === key.id)
      const events = provider.stream(shared, signal, mayResend)
      const asking = { events, resent, countedTokens: request.contextTokens ?? 0 }
      const ended: Refused | null = yield* this.#askWithKey(row, key, asking)
      if (!ended) return
      refused = { ...ended, label: key.label }
      resent += ended.resent
    }
  }

  /**
   * Yields the events of one request. Returns the failure that concerns only the key, when nothing was shown or counted
   * before it, and the retries the adapter made; null = every event was yielded. The caller settles what was counted as a
   * try of its own.
   */
  async *#askWithKey(
    row: Connection,
    key: TakenKey,
    { events, resent, countedTokens }: KeyRequest,
  ): AsyncGenerator<ModelEvent, Refused | null> {
    let shown = false
    for await (const event of events) {
      if (event.type === 'error') {
        const speaksOfKey = await this.#coolDown(key, event.failure)
        if (speaksOfKey && !shown && !event.usage) {
          return { failure: event.failure, resent: event.resent ?? 0 }
        }
      } else if (event.type === 'finish') await this.#noteAnswer(row, key, event, countedTokens)
      else shown = true
      const isLast = event.type === 'error' || event.type === 'finish'
      yield isLast && resent > 0 ? { ...event, resent: (event.resent ?? 0) + resent } : event
    }
    return null
  }

  async #noteAnswer(
    row: Connection,
    key: TakenKey,
    { usage, native }: Finish,
    countedTokens: number,
  ): Promise<void> {
    const { database, keyReports } = this.#parts
    const tokens = usage ? usage.inputTokens + usage.outputTokens : 0
    keyReports.noteTokens(row.id, key.id, tokens - countedTokens)
    this.#last = key.id
    if (native !== undefined) this.#givers.set(native, key.id)
    if (key.wasFailing) await clearKey(database.pool, key.id)
  }

  /** Pauses a key that a failure concerns. Returns whether it concerns one. */
  async #coolDown(
    { id }: TakenKey,
    { category, advice, retryAfterMs }: ProviderFailure,
  ): Promise<boolean> {
    const { database, openedAt } = this.#parts
    const pauseMs = pauses[category]
    if (pauseMs === undefined) return false
    const ms = Math.min(retryAfterMs ?? pauseMs, longestPauseMs)
    await pauseKey(database.pool, id, { ms, category, advice, openedAt })
    return true
  }

  /** Returns a free key. Waits when one will be free soon. */
  async #freeKey(row: Connection, { request, tried, signal }: KeyQuestion) {
    const { database, keyReports } = this.#parts
    const deadline = performance.now() + patienceMs
    for (;;) {
      const found = await takeKey(database.pool, {
        connectionId: row.id,
        secretId: row.secretId,
        tokens: request.contextTokens ?? 0,
        reports: keyReports.take(row.id),
        tried,
        preferred: this.#last,
      })
      if (found.key) return found
      const waitMs = Math.min(...found.busy.map((busy) => busy.waitMs))
      if (performance.now() + waitMs > deadline) return found
      // Random, so that waiting requests do not repeat at the same moment.
      await sleep(waitMs + 20 + Math.random() * 80, signal)
      if (signal.aborted) return found
    }
  }
}

function failed(failure: ProviderFailure, resent: number): ModelEvent {
  return { type: 'error', failure, ...(resent > 0 && { resent }) }
}

type Finish = Extract<ModelEvent, { type: 'finish' }>
type Refused = { failure: ProviderFailure; resent: number }
type KeyQuestion = { request: ModelRequest; tried: string[]; signal: AbortSignal }

/** `resent`: the requests before it. `countedTokens`: the tokens that were counted for it when the key was taken. */
type KeyRequest = { events: AsyncIterable<ModelEvent>; resent: number; countedTokens: number }

/**
 * Returns the request with only those native answers that `mayShare` allows: their encrypted parts may belong to one
 * account. The others are sent in the portable form, as to any other model.
 */
export function sharing(
  request: ModelRequest,
  mayShare: (native: string) => boolean,
): ModelRequest {
  const share = (message: Message): Message => {
    if (message.role !== 'assistant' || message.native === undefined) return message
    if (mayShare(message.native)) return message
    const known = portableOf.get(message)
    if (known) return known
    const { native: _, ...portable } = message
    portableOf.set(message, portable)
    return portable
  }
  return { ...request, messages: request.messages.map(share) }
}

/** Returns the failure to report. That of a key counts only when no other key is left; busy keys will be free again. */
function lastFailure(
  target: ModelTarget,
  busy: readonly BusyKey[],
  refused: ProviderFailure | null,
): ProviderFailure {
  if (!refused) return noneFree(target, busy)
  if (busy.length === 0) return refused
  const { advice, retryAfterMs } = noneFree(target, busy)
  return {
    ...refused,
    cause: 'others-busy',
    retryAfterMs,
    advice: `${refused.advice} ${advice}`,
  }
}

type Busy = ProviderFailure & { cause: 'keys-busy' }

function noneFree({ connectionName }: ModelTarget, busy: readonly BusyKey[]): Busy {
  const facts = { status: null, incidentId: newId(), cause: 'keys-busy' } as const
  const waitMs = Math.min(...busy.map((key) => key.waitMs))
  const refused = busy.filter(({ category }) => category !== null && category !== 'rate-limited')
  const [first] = refused
  if (busy.length === 0) {
    const advice = `No key of ${connectionName} can be used, because all of them are switched off. Switch one on.`
    return { ...facts, category: 'auth', advice, retryAfterMs: null }
  }
  if (first?.category && refused.length === busy.length) {
    const advice = `No key of ${connectionName} can be used now. The last failure of ${first.label}: ${first.advice}`
    return { ...facts, category: first.category, advice, retryAfterMs: null }
  }
  return {
    ...facts,
    category: 'rate-limited',
    advice: `Every key of ${connectionName} has reached its limit. The next one is free in ${Math.ceil(waitMs / 1000)} s. Wait, add a key, or add a fallback model to the configuration.`,
    retryAfterMs: Math.ceil(waitMs),
  }
}
