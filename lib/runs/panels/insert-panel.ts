import 'server-only'
import { auditColumns } from '@/lib/edge/record-audit'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { type PgConnection, rowsOf } from '@/lib/kernel/statements'
import type { PanelMember } from '@/lib/protocol/panel/panel-start'
import { toJson } from '@/lib/runs/journal/write-entries'
import type { Planned } from '@/lib/runs/start/insert-run'
import { firstWords } from '@/lib/words/clean-text'
import type { NewPanel, PlannedMember } from './new-panel'

type Stored = {
  panel: NewPanel
  panelId: string
  inputHash: string
  members: readonly PlannedMember[]
  /** Those that begin at once. */
  plans: readonly Planned[]
  /** Time of the site when the panel was planned, ms since 1970. */
  plannedAt: number
}

/** Stores the row of a panel and its audit row. Returns false when its idempotency key has one. */
export async function insertPanel(
  connection: PgConnection,
  ctx: Ctx,
  { panel, panelId, inputHash, members, plans, plannedAt }: Stored,
): Promise<boolean> {
  const { input, wishes, begins } = panel
  const kept = members.map(({ name, planned, refusal }, place): PanelMember => {
    const { role, instructions, hops, costCap } = wishes[place] ?? {}
    const begun = begins.includes(place)
    return {
      configurationId: planned?.snapshot.configurationId ?? null,
      name,
      runId: (begun && planned?.run.runId) || null,
      refusal: begun ? refusal : null,
      ...(role && { role, instructions: instructions ?? '', hops: hops ?? 0, costCap }),
    }
  })
  const task = plans[0]?.snapshot.task
  const prompt = task ? plans[0]?.run.start.data.prompt : input.prompt
  const values = firstWords(Object.values(plans[0]?.run.request.variables ?? {}).join(' '))
  const starters = [...new Set(plans.flatMap(({ snapshot }) => snapshot.starters ?? []))]
  const start = {
    ...panel.start,
    members: kept,
    ...(task && { task, ...(values !== '' && { values }) }),
    ...(starters.length > 0 && { starters }),
    // Their person agreed to what others wrote, which is asked again for later roles.
    ...(ctx.schedule &&
      starters.length > 0 && { schedule: { id: ctx.schedule.id, at: ctx.schedule.at } }),
  }
  const after = { configurations: members.map(({ name }) => name), ...panel.audited }
  const { action } = panel
  const beganAt = Math.min(plannedAt, ...plans.map(({ run }) => run.createdAt.getTime()))
  const audit = auditColumns(ctx, { action, objectType: 'panel', objectId: panelId, after })
  const rows = await rowsOf(connection, insertStatement, [
    panelId,
    ctx.actor.userId,
    prompt,
    ctx.via,
    input.idempotencyKey,
    inputHash,
    toJson(start),
    begins.length < members.length,
    ctx.apiKeyId ?? null,
    plans[0]?.run.accessEpoch ?? 0,
    new Date(beganAt).toISOString(),
    newId(),
    audit.actorId,
    audit.actorLabel,
    action,
    toJson(audit.after),
    audit.ipAddress,
    plans[0]?.run.freezes ?? 0,
  ])
  return rows.length > 0
}

const insertStatement = {
  name: 'start panel',
  text: `
WITH panel AS (
  INSERT INTO panels (id, "userId", prompt, source, "idempotencyKey", "idempotencyHash", start, "hasTurns", "apiKeyId",
    "accessEpoch", "createdAt", freezes)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7::jsonb, $8::bool, $9::uuid, $10::int, $11::timestamptz AT TIME ZONE 'UTC', $18::int)
  ON CONFLICT DO NOTHING RETURNING id),
audited AS (
  INSERT INTO audit_entries (id, at, "actorId", "actorLabel", action, "objectType", "objectId", after, "ipAddress")
  SELECT $12::uuid, now() AT TIME ZONE 'UTC', $13::uuid, $14, $15, 'panel', id::text, $16::jsonb, $17 FROM panel)
SELECT id FROM panel`,
}
