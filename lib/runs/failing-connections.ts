import 'server-only'
import { type FailingConnection, listFailing } from '@/lib/connections/list-failing'
import { channels, isListening, onNotify } from './wake'

/** How long what was read is believed while notifications may be lost. */
const believedForMs = 1_000

type Known = { failing: Promise<FailingConnection[]>; at: number }

let known: Known | null = null
let watching = false

/**
 * What is known of a connection's failures; null = it is healthy. Read once and again after each change that any process
 * tells of, so that requests to healthy connections cost no statement.
 */
export async function failingConnection(connectionId: string): Promise<FailingConnection | null> {
  watch()
  if (known && !isListening() && Date.now() - known.at > believedForMs) known = null
  known ??= { failing: listFailing(), at: Date.now() }
  try {
    const failing = await known.failing
    return failing.find((one) => one.connectionId === connectionId) ?? null
  } catch (error) {
    known = null
    throw error
  }
}

/** This process changed something itself: its next request is not to wait for the notification. */
export function forgetFailing(): void {
  known = null
}

function watch(): void {
  if (watching) return
  watching = true
  onNotify(channels.health, forgetFailing)
}
