import 'server-only'
import { type HeardConnection, listHeard } from '@/lib/connections/list-heard'
import { channels, isListening, onNotify } from './wake'

/** How long what was read is believed while notifications may be lost. */
const believedForMs = 1_000

type Known = { heard: Promise<Map<string, HeardConnection>>; at: number }

let known: Known | null = null
let watching = false

/**
 * What was last heard of a connection; null = nothing yet. Read once and again after each change that any process tells
 * of, so that requests to healthy connections cost no statement.
 */
export async function heardConnection(connectionId: string): Promise<HeardConnection | null> {
  watch()
  if (known && !isListening() && Date.now() - known.at > believedForMs) known = null
  known ??= { heard: readHeard(), at: Date.now() }
  try {
    return (await known.heard).get(connectionId) ?? null
  } catch (error) {
    known = null
    throw error
  }
}

/** This process changed something itself: its next request is not to wait for the notification. */
export function forgetHeard(): void {
  known = null
}

async function readHeard(): Promise<Map<string, HeardConnection>> {
  return new Map((await listHeard()).map((one) => [one.connectionId, one]))
}

function watch(): void {
  if (watching) return
  watching = true
  onNotify(channels.health, forgetHeard)
}
