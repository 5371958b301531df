import 'server-only'
import { keepNative } from '@/lib/engines/runtime/ask/native-answers'
import type { Journal } from '@/lib/engines/runtime/deps'
import type { Database } from '@/lib/kernel/db'
import { keepRunImages } from '@/lib/runs/files/keep-run-images'
import { EventQueue, type QueueOptions } from './event-queue'
import { type StartOptions, StartQueue } from './start-queue'

/** Returns the journal of one run in the database. */
export function openJournal(options: QueueOptions & StartOptions): Journal {
  const { database, feed, facts, natives } = options
  const queue = new EventQueue(options)
  const starts = new StartQueue(queue, options)
  return {
    append: (body, native) => {
      keepNative(natives, body, native)
      const event = queue.place(body)
      queue.schedule()
      return event
    },
    show: (piece) => feed.show(facts.runId, piece),
    nativeOf: (round) => natives.get(round) ?? null,
    flush: () => queue.flush(),
    begin: (start, decide) => starts.begin(start, decide),
    saveResult: (callId, content) => saveResult(database, facts.runId, callId, content),
    saveImages: (images) => keepRunImages(database, facts, images),
  }
}

async function saveResult(
  { client }: Database,
  runId: string,
  callId: string,
  content: string,
): Promise<void> {
  const data = { content: content.replaceAll('\0', ''), bytes: Buffer.byteLength(content) }
  await client.callResult.upsert({
    where: { runId_callId: { runId, callId } },
    create: { runId, callId, ...data },
    update: data,
  })
}
