import 'server-only'
import type { Tx } from '@/lib/db'
import type { RunEvent } from '@/lib/protocol/run-event'
import { runNotice } from './run-notice'
import { channels } from './wake'

/** JSON escapes that PostgreSQL's jsonb refuses: NUL and lone surrogates (SPEC T5a). */
const refusedEscape = /\\u(?:0000|d[89a-f])/i

/**
 * Adds events to a run's journal and wakes its watchers, in one statement. Returns how many rows went in: 0 means
 * that `instanceId` does not own the run any more. A place that is already taken violates the primary key.
 */
export async function insertEvents(
  tx: Tx,
  runId: string,
  instanceId: string,
  events: RunEvent[],
): Promise<number> {
  const rows = events.map(({ seq, type, data, at }) => ({ seq, type, data, at }))
  const result = await tx.$queryRawUnsafe<{ inserted: number }[]>(
    `WITH inserted AS (
       INSERT INTO run_events ("runId", seq, type, data, at)
       SELECT $1::uuid, e.seq, e.type, e.data, to_timestamp(e.at / 1000.0) AT TIME ZONE 'UTC'
       FROM jsonb_to_recordset($3::jsonb) AS e(seq int, type text, data jsonb, at float8)
       WHERE EXISTS (SELECT 1 FROM runs WHERE id = $1::uuid AND "instanceId" = $2::uuid)
       RETURNING 1)
     SELECT count(*)::int AS inserted, pg_notify('${channels.run}', $4::text) IS NULL AS notified FROM inserted`,
    runId,
    instanceId,
    toJson(rows),
    runNotice(runId, events.at(-1)?.seq ?? 0),
  )
  return result[0]?.inserted ?? 0
}

function toJson(rows: unknown): string {
  const text = JSON.stringify(rows)
  return refusedEscape.test(text) ? JSON.stringify(rows, storable) : text
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
