import 'server-only'
import { Client, DatabaseError, type QueryConfig } from 'pg'
import { budgetChannel } from '@/lib/domains/budgets/budget-channel'
import { healthChannel } from '@/lib/domains/connections/health'
import { log } from '@/lib/kernel/log'
import { policyChannel } from '@/lib/kernel/policy-lock'

/**
 * PostgreSQL channels. Payloads are run ids, except for `policy`, `budgets`, `schedules` and `places`, which carry none,
 * and for those of `SharedAnswers`.
 */
export const channels = {
  run: 'toolgate_run',
  control: 'toolgate_control',
  work: 'toolgate_work',
  policy: policyChannel,
  budgets: budgetChannel,
  health: healthChannel,
  answers: 'toolgate_answers',
  watched: 'toolgate_watched',
  schedules: 'toolgate_schedules',
  places: 'toolgate_places',
} as const satisfies Record<string, string>
type Channel = (typeof channels)[keyof typeof channels]
type Listener = (payload: string) => void

const reconnectAfterMs = 500
/** A connection that does not answer for so long is replaced. */
const answerWithinMs = 3_000

/** The notifications of one database. */
export type Notifications = {
  /**
   * Calls `listener` for each notification of the channel by any process on this database. After a lost connection it is
   * called once with an empty payload, because notifications may be missing. Returns the function that unsubscribes.
   */
  subscribe: (channel: Channel, listener: Listener) => () => void
  /** Calls the listeners of this object at once, without PostgreSQL. */
  notifyLocally: (channel: Channel, payload: string) => void
  /** False while the connection is down, so that notifications may be lost. */
  isListening: () => boolean
  /** Sends a statement over this connection, which no run and no page waits for. */
  query: <Row extends object>(statement: QueryConfig) => Promise<Row[]>
  /** Ends the connection; listeners are no longer called. */
  close: () => Promise<void>
}

/** Listens for the notifications of the database at `url`, on a connection of its own. */
export function openNotifications(url: string): Notifications {
  const listeners = new Map<Channel, Set<Listener>>()
  let client: Client | null = null
  let closed = false

  const notifyLocally = (channel: Channel, payload: string): void => {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  const connectLater = (): void => {
    if (closed) return
    const again = () => {
      attempt = connect()
    }
    setTimeout(again, reconnectAfterMs).unref()
  }

  const connect = async (): Promise<void> => {
    if (closed) return
    const opened = new Client({
      connectionString: url,
      application_name: 'toolgate-listen',
      keepAlive: true,
      query_timeout: answerWithinMs,
    })
    const lose = (): void => {
      if (client !== opened) return
      client = null
      void opened.end().catch(() => undefined)
      connectLater()
    }
    opened.on('notification', ({ channel, payload }) =>
      notifyLocally(channel as Channel, payload ?? ''),
    )
    opened.on('error', lose)
    opened.on('end', lose)
    try {
      await opened.connect()
      for (const channel of Object.values(channels)) await opened.query(`LISTEN ${channel}`)
      if (closed) return await opened.end()
      client = opened
      for (const channel of Object.values(channels)) notifyLocally(channel, '')
    } catch (error) {
      log.warn(
        { source: 'notifications', error: String(error) },
        'Cannot listen for notifications; trying again',
      )
      // A connection that was opened before the failure would stay.
      void opened.end().catch(() => undefined)
      connectLater()
    }
  }

  let attempt = connect()
  /** The end of the last statement: the driver takes one at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const ask = async <Row extends object>(statement: QueryConfig): Promise<Row[]> => {
    await attempt
    const asking = client
    if (!asking) throw new Error('The connection that listens is down.')
    try {
      return (await asking.query<Row>(statement)).rows
    } catch (error) {
      // A connection that does not answer may be half open: its end would never be seen.
      if (!(error instanceof DatabaseError)) asking.emit('error', error)
      throw error
    }
  }
  return {
    subscribe: (channel, listener) => {
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(listener))
      return () => set.delete(listener)
    },
    notifyLocally,
    isListening: () => client !== null,
    query: <Row extends object>(statement: QueryConfig) => {
      const answer = last.then(() => ask<Row>(statement))
      last = answer.catch(() => undefined)
      return answer
    },
    close: async () => {
      closed = true
      listeners.clear()
      await attempt
      const opened = client
      client = null
      await opened?.end()
    },
  }
}
