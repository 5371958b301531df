import 'server-only'
import { db, type Tx } from '@/lib/db'
import { log } from '@/lib/log'
import type { ToolMeta } from '@/lib/protocol/tool'
import { decideTool } from '@/lib/runtime/policy/decide-tool'
import type { Subject } from '@/lib/runtime/policy/subject'

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

/** Asks the gates again for every call in flight here (SPEC G-F). */
export async function recheckCallsInFlight(): Promise<void> {
  await Promise.all([...inFlight].map(recheck))
}

async function recheck(call: CallInFlight): Promise<void> {
  try {
    const verdict = decideTool(call.tool, await call.readSubject(db()))
    if (!verdict.allowed) call.controller.abort(verdict.reason)
  } catch (error) {
    log.warn(
      { source: 'gates', tool: call.tool?.name, error: String(error) },
      'Cannot read the switches',
    )
    call.controller.abort('The switches could not be read.')
  }
}
