import type { RunEventRow } from '@/lib/generated/prisma/client'
import { RunStatus } from '@/lib/generated/prisma/enums'
import { StoredSchema } from '@/lib/protocol/parameters/parameter-values'
import { storedParameters } from '@/lib/protocol/parameters/parameters'
import {
  EndReason,
  type RunEvent,
  type RunEventBody,
  type RunEventOf,
} from '@/lib/protocol/run/run-event'
import { type RunRow, RunSource } from './schemas'

/**
 * Returns the event of a row without parsing it, because only the journal writes these rows, from values of this type;
 * the first event comes from `storedStart`.
 */
export function toRunEvent(row: RunEventRow): RunEvent {
  const body = { type: row.type, data: row.data } as RunEventBody
  const read = body.type === 'run-start' ? { ...body, data: withReadSchema(body.data) } : body
  return { ...read, runId: row.runId, seq: row.seq, at: row.at.getTime() }
}

type RunStart = RunEventOf<'run-start'>['data']

/** Returns the first event of a run as the database keeps it: with the output schema as text. */
export function storedStart({ snapshot, ...start }: RunStart) {
  const { options, ...facts } = snapshot
  return {
    ...start,
    snapshot: { ...facts, ...(options && { options: storedParameters(options) }) },
  }
}

function withReadSchema(start: RunStart): RunStart {
  const { options } = start.snapshot
  if (!options?.outputSchema) return start
  const outputSchema = StoredSchema.parse(options.outputSchema)
  return { ...start, snapshot: { ...start.snapshot, options: { ...options, outputSchema } } }
}

export function toEndReason(text: string | null): EndReason | null {
  return EndReason.nullable().parse(text)
}

export function toSource(text: string): RunRow['source'] {
  return RunSource.catch('console').parse(text)
}

/** SQL that lists the states of runs that have not ended: an index finds these, but not what is "not ended". */
export const activeStates = Object.values(RunStatus)
  .filter((status) => status !== 'ended')
  .map((status) => `'${status}'`)
  .join(', ')
