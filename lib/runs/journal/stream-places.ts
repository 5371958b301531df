import { processState } from '@/lib/kernel/process-state'
import 'server-only'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Ctx } from '@/lib/kernel/context'
import { RateLimitedError } from '@/lib/kernel/errors'

/** A browser needs one stream, whatever it shows; programs may follow each run with one of its own. */
const mostStreams = { session: 20, person: 40 }
/** Maximum parts of journals that are read at a time, so that a reader of many delays nobody else (SPEC A9). */
const mostReads = { person: 2, all: 4 }
const retryAfterSeconds = 5

/** Reader of a stream; `session` is that of a browser, or an API key. */
export type StreamReader = { userId: string; session: string }

export function readerOf({ actor, sessionId, apiKeyId }: Ctx): StreamReader {
  return { userId: actor.userId, session: sessionId ?? apiKeyId ?? actor.userId }
}

type Places = {
  streams: Map<string, number>
  /** The people who read now; nobody is kept who does not. */
  reading: Map<string, LimitFunction>
  all: LimitFunction
}

const places = processState<Places>(() => ({
  streams: new Map(),
  reading: new Map(),
  all: pLimit(mostReads.all),
}))

/**
 * Throws RateLimitedError when a session or a person has as many open streams in this process as they may have.
 */
export function requireStreamPlace({ userId, session }: StreamReader): void {
  const { streams } = places.value
  const isFull =
    (streams.get(session) ?? 0) >= mostStreams.session ||
    (streams.get(userId) ?? 0) >= mostStreams.person
  if (!isFull) return
  throw new RateLimitedError(
    `Too many open event streams: at most ${mostStreams.session} for each session or API key, and ${mostStreams.person} for each person. Close some, or follow several runs with one stream.`,
    retryAfterSeconds,
  )
}

/** Counts a stream until the function is called that it returns. Throws RateLimitedError when there is no place. */
export function takeStreamPlace(reader: StreamReader): () => void {
  requireStreamPlace(reader)
  const names = [reader.session, reader.userId]
  for (const name of names) count(name, 1)
  let isTaken = true
  return () => {
    if (!isTaken) return
    isTaken = false
    for (const name of names) count(name, -1)
  }
}

function count(name: string, by: number): void {
  const { streams } = places.value
  const left = (streams.get(name) ?? 0) + by
  if (left > 0) streams.set(name, left)
  else streams.delete(name)
}

/** Reads a part of a journal when it is this person's turn. */
export async function readInTurn<T>(userId: string, read: () => Promise<T>): Promise<T> {
  const { reading, all } = places.value
  const own = reading.get(userId) ?? pLimit(mostReads.person)
  reading.set(userId, own)
  try {
    return await own(() => all(read))
  } finally {
    if (own.activeCount + own.pendingCount === 0) reading.delete(userId)
  }
}

/** Resolves when it is its turn, with the function that ends the turn. */
export function turnOf(turns: LimitFunction): Promise<() => void> {
  return new Promise((begin) => {
    void turns(() => new Promise<void>((end) => begin(end)))
  })
}
