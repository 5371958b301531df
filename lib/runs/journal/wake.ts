import 'server-only'
import { Client } from 'pg'
import { budgetChannel } from '@/lib/domains/budgets/budget-channel'
import { healthChannel } from '@/lib/domains/connections/health-channel'
import { env } from '@/lib/kernel/env'
import { log } from '@/lib/kernel/log'
import { policyChannel } from '@/lib/kernel/policy-lock'

/** PostgreSQL channels. Payloads are run ids, except for `policy` and `budgets`, which carry none. */
export const channels = {
  run: 'toolgate_run',
  control: 'toolgate_control',
  work: 'toolgate_work',
  policy: policyChannel,
  budgets: budgetChannel,
  health: healthChannel,
} as const satisfies Record<string, string>
type Channel = (typeof channels)[keyof typeof channels]
type Listener = (payload: string) => void
type Hub = { listeners: Map<Channel, Set<Listener>>; connecting: boolean; client: Client | null }

const reconnectAfterMs = 500
const slot = Symbol.for('toolgate.wake')
const shared = globalThis as { [slot]?: Hub }

function hub(): Hub {
  shared[slot] ??= { listeners: new Map(), connecting: false, client: null }
  return shared[slot]
}

/**
 * Calls `listener` for each notification of the channel by any process on this database. After a lost connection it is
 * called once with an empty payload, because notifications may be missing. Returns the function that unsubscribes.
 */
export function onNotify(channel: Channel, listener: Listener): () => void {
  const { listeners } = hub()
  const set = listeners.get(channel) ?? new Set()
  listeners.set(channel, set.add(listener))
  void connect()
  return () => set.delete(listener)
}

/** False while the listening connection is down, so that notifications may be lost. */
export function isListening(): boolean {
  return hub().client !== null
}

/** Calls the listeners of this process at once, without PostgreSQL. */
export function notifyLocally(channel: Channel, payload: string): void {
  for (const listener of hub().listeners.get(channel) ?? []) listener(payload)
}

/** Ends the listening connection, so that a command-line process can end. */
export async function closeWake(): Promise<void> {
  const state = hub()
  const client = state.client
  shared[slot] = undefined
  await client?.end()
}

async function connect(): Promise<void> {
  const state = hub()
  if (state.connecting || state.client) return
  state.connecting = true
  const client = new Client({
    connectionString: env().DATABASE_URL,
    application_name: 'toolgate-listen',
    keepAlive: true,
  })
  client.on('notification', ({ channel, payload }) =>
    notifyLocally(channel as Channel, payload ?? ''),
  )
  client.on('error', () => lose(state, client))
  client.on('end', () => lose(state, client))
  try {
    await client.connect()
    for (const channel of Object.values(channels)) await client.query(`LISTEN ${channel}`)
    state.client = client
    for (const channel of Object.values(channels)) notifyLocally(channel, '')
  } catch (error) {
    log.warn(
      { source: 'wake', error: String(error) },
      'Cannot listen for notifications; trying again',
    )
    setTimeout(() => void connect(), reconnectAfterMs).unref()
  } finally {
    state.connecting = false
  }
}

function lose(state: Hub, client: Client): void {
  if (state.client !== client || shared[slot] !== state) return
  state.client = null
  setTimeout(() => void connect(), reconnectAfterMs).unref()
}
