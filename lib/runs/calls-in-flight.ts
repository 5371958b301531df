import 'server-only'
import { db, type Tx } from '@/lib/db'
import { log } from '@/lib/log'
import type { ToolMeta } from '@/lib/protocol/tool'
import { decideTool } from '@/lib/runtime/policy/decide-tool'
import type { Subject } from '@/lib/runtime/policy/subject'
import { coalesced } from './coalesced'

type CallInFlight = {
  tool: ToolMeta | undefined
  readSubject: (tx: Tx) => Promise<Subject>
  controller: AbortController
}

const inFlight = new Set<CallInFlight>()

/** Keeps an eye on one call: its signal aborts, with the reason, once the gates would no longer allow the tool. */
export function watchCall(tool: ToolMeta | undefined, readSubject: CallInFlight['readSubject']) {
  const call = { tool, readSubject, controller: new AbortController() }
  inFlight.add(call)
  return { signal: call.controller.signal, release: () => void inFlight.delete(call) }
}

/**
 * Asks the gates again for every call in flight here (SPEC G-F); resolves after a look that began no earlier than this.
 * However many changes come during one look, one more answers them all: switches thrown in quick succession keep
 * neither the database busy nor the heartbeat waiting.
 */
export const recheckCallsInFlight = coalesced(async () => {
  await Promise.all([...callsByRun()].map(([readSubject, calls]) => recheck(readSubject, calls)))
})

/** The calls of one run share the way to read what the gates ask, so they are answered by one reading. */
function callsByRun(): Map<CallInFlight['readSubject'], CallInFlight[]> {
  const byRun = new Map<CallInFlight['readSubject'], CallInFlight[]>()
  for (const call of inFlight) {
    byRun.set(call.readSubject, [...(byRun.get(call.readSubject) ?? []), call])
  }
  return byRun
}

async function recheck(
  readSubject: CallInFlight['readSubject'],
  calls: readonly CallInFlight[],
): Promise<void> {
  try {
    const subject = await readSubject(db())
    for (const { tool, controller } of calls) {
      const verdict = decideTool(tool, subject)
      if (!verdict.allowed) controller.abort(verdict.reason)
    }
  } catch (error) {
    log.warn({ source: 'gates', error: String(error) }, 'Cannot read the switches')
    for (const { controller } of calls) controller.abort('The switches could not be read.')
  }
}
