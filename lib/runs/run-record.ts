import type { RunEventRow } from '@/lib/generated/prisma/client'
import { EndReason, type RunEvent, type RunEventBody } from '@/lib/protocol/run-event'

/** Rows are written by the journal alone, from values of this very type. */
export function toRunEvent(row: RunEventRow): RunEvent {
  const body = { type: row.type, data: row.data } as RunEventBody
  return { ...body, runId: row.runId, seq: row.seq, at: row.at.getTime() }
}

export function toEndReason(text: string | null): EndReason | null {
  return EndReason.nullable().parse(text)
}

export function toSource(text: string): 'console' | 'api' | 'cli' {
  return text === 'api' || text === 'cli' ? text : 'console'
}
