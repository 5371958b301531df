import type { CallContext } from '@/lib/protocol/tool'

/** Returns the context of a call of an admin that nobody stops. */
export function memoryContext(): CallContext {
  const actor = { userId: 'u', email: 'a@example.org', role: 'admin' as const }
  return {
    signal: new AbortController().signal,
    actor,
    runId: 'r',
    configurationId: null,
    callId: 'c',
  }
}
