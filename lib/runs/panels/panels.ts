import 'server-only'
import { z } from 'zod'
import { isLimitedKey, runsWithinKey } from '@/lib/domains/rows/runs-within-key'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { addCost } from '@/lib/protocol/cost/cost'
import { panelTitle } from '@/lib/protocol/panel/panel'
import { PanelStart } from '@/lib/protocol/panel/panel-start'
import { RunNoteText } from '@/lib/protocol/run/run-marks'
import { cancelRuns } from '@/lib/runs/engine/cancel-runs'
import { runningEngine } from '@/lib/runs/engine/engine'
import { channels } from '@/lib/runs/journal/notifications'
import { inRunDatabase } from '@/lib/runs/require-run'
import { toEndReason } from '@/lib/runs/run-record'
import { PanelChoice, PanelFilter, PanelRow } from './panel-schemas'

const what = 'This panel'

/** Why members did not begin that were not refused at once, by their place. */
export const Refusals = z.record(z.string(), z.string())

const rowParts = {
  user: { select: { email: true, name: true } },
  runs: {
    select: {
      id: true,
      status: true,
      endReason: true,
      costMicroUsd: true,
      panelPlace: true,
      inputTokens: true,
      outputTokens: true,
    },
  },
} satisfies Prisma.PanelInclude

export const listPanels = verb({
  name: 'panel.list',
  role: 'member',
  scope: 'runs:read',
  summary:
    'Lists panels, which are prompts on several configurations at once: all of them for admins, their own for members.',
  input: PanelFilter,
  output: z.object({ panels: z.array(PanelRow), total: z.number() }),
  transaction: false,
  run: async ({ ctx }, { search, chosen, page, pageSize }) => {
    const where: Prisma.PanelWhereInput = {
      AND: [
        visiblePanels(ctx),
        ...(search
          ? [
              {
                prompt: {
                  contains: search.replace(/[\\%_]/g, '\\$&'),
                  mode: 'insensitive' as const,
                },
              },
            ]
          : []),
        ...(chosen ? [{ chosenAt: chosen === 'yes' ? { not: null } : null }] : []),
      ],
    }
    const [rows, total] = await Promise.all([
      db().panel.findMany({
        where,
        include: rowParts,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: (page - 1) * pageSize,
        take: pageSize,
      }),
      db().panel.count({ where }),
    ])
    return { panels: rows.map(toRow), total }
  },
})

/** Returns the lines of these panels that the caller may see, in any order. */
export async function readPanelRows(ctx: Ctx, panelIds: readonly string[]): Promise<PanelRow[]> {
  const where = { AND: [{ id: { in: [...panelIds] } }, visiblePanels(ctx)] }
  return (await db().panel.findMany({ where, include: rowParts })).map(toRow)
}

type Row = Prisma.PanelGetPayload<{ include: typeof rowParts }>

function toRow({ runs, user, ...panel }: Row): PanelRow {
  const byId = new Map(runs.map((run) => [run.id, run]))
  const start = startOfPanel({ ...panel, runs })
  const { members } = start
  return {
    panelId: panel.id,
    status: panel.hasTurns || runs.some(({ status }) => status !== 'ended') ? 'running' : 'ended',
    kind: members.some(({ role }) => role) ? 'coordinate' : 'confer',
    title: panelTitle(start, panel.prompt),
    prompt: panel.prompt,
    members: members.map(({ name, role, runId }) => ({
      name,
      role: role ?? null,
      runId,
      endReason: toEndReason(byId.get(runId ?? '')?.endReason ?? null),
    })),
    userEmail: user.email,
    userName: user.name,
    tokens: runs.reduce(
      (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
      0,
    ),
    costMicroUsd: runs.reduce<number | null>(
      (sum, { costMicroUsd: cost }) => addCost(sum, cost === null ? null : Number(cost)),
      0,
    ),
    choice: choiceOf(panel),
    createdAt: panel.createdAt.toISOString(),
  }
}

/** Returns what a panel was started with, with what became of the members that began later. */
export function startOfPanel({
  start,
  refusals,
  runs,
}: Pick<Row, 'start' | 'refusals'> & {
  runs: readonly { id: string; panelPlace: number | null }[]
}) {
  const parsed = PanelStart.parse(start)
  const later = Refusals.parse(refusals)
  const members = parsed.members.map((member, place) => ({
    ...member,
    runId: member.runId ?? runs.find(({ panelPlace }) => panelPlace === place)?.id ?? null,
    refusal: member.refusal ?? later[String(place)] ?? null,
  }))
  return { ...parsed, members }
}

type Chosen = Pick<Row, 'chosenRunId' | 'chosenNote' | 'chosenBy' | 'chosenAt'>

/** Returns what a person chose; null = nobody did. */
export function choiceOf({
  chosenRunId,
  chosenNote,
  chosenBy,
  chosenAt,
}: Chosen): PanelChoice | null {
  return (
    chosenAt && {
      runId: chosenRunId,
      note: chosenNote,
      by: chosenBy ?? '',
      at: chosenAt.toISOString(),
    }
  )
}

/** Returns the condition on the panels that the caller may see; of a limited key, those that it started, all of whose members lie within its limits. */
function visiblePanels(ctx: Ctx): Prisma.PanelWhereInput {
  const { actor, apiKeyId } = ctx
  const ofRole = actor.role === 'admin' ? {} : { userId: actor.userId }
  if (!isLimitedKey(ctx)) return ofRole
  return {
    AND: [
      ofRole,
      { apiKeyId: { in: apiKeyId ? [apiKeyId] : [] } },
      { runs: { every: runsWithinKey(ctx) } },
    ],
  }
}

/** Returns the row of a panel. Throws the same NotFoundError for one of somebody else as for none (SPEC A3). */
export async function requirePanel(ctx: Ctx, panelId: string, tx: Tx = db()) {
  const id = parseId(panelId, what)
  const panel = await tx.panel.findFirst({
    where: { AND: [{ id }, visiblePanels(ctx)] },
    include: rowParts,
  })
  if (!panel) throw new NotFoundError(what)
  return panel
}

/** The processes that work on its members end them within 2 s (SPEC R9). Throws NotFoundError for panels that are not the caller's. */
export const stopPanel = verb({
  name: 'panel.stop',
  role: 'member',
  scope: 'runs:write',
  summary: 'Stops all members of a panel that go on.',
  reason: 'optional',
  input: z.object({ panelId: z.string() }),
  output: z.object({ stoppedRuns: z.number() }),
  transaction: inRunDatabase,
  run: async ({ tx, ctx, actor, reason }, { panelId }) => {
    const { id, hasTurns, stoppedBy } = await requirePanel(ctx, panelId, tx)
    const isStopped = hasTurns && stoppedBy === null
    if (isStopped) await tx.panel.update({ where: { id }, data: { stoppedBy: actor.email } })
    const runs = await cancelRuns(tx, Prisma.sql`"panelId" = ${id}::uuid`, {
      by: actor.email,
      reason,
    })
    const output = { stoppedRuns: runs.length }
    if (runs.length === 0 && !isStopped) return unchanged(output)
    // An empty payload makes every process check all of its runs.
    await tx.$queryRaw`SELECT pg_notify(${channels.control}, '') IS NULL AS notified`
    return changed(output, {
      subject: id,
      before: null,
      after: { stoppedRuns: runs },
    })
  },
  afterCommit: () => runningEngine()?.applyChanges(''),
})

/**
 * The last choice counts; the journals of the members stay as they are (SPEC C4). Throws NotFoundError for panels that are
 * not the caller's, and ValidationError for a run that is no member.
 */
export const choosePanel = verb({
  name: 'panel.choose',
  role: 'member',
  scope: 'runs:write',
  summary: 'Says which member of a panel answered best, and why.',
  input: z.object({
    panelId: z.string(),
    runId: z.uuid().nullable().meta({ description: 'The run of a member; null = none of them.' }),
    note: RunNoteText.default(''),
  }),
  output: z.object({ choice: PanelChoice.nullable() }),
  run: async ({ tx, ctx, actor }, { panelId, runId, note }) => {
    const { id } = await requirePanel(ctx, panelId, tx)
    await tx.$queryRaw`SELECT 1 AS locked FROM panels WHERE id = ${id}::uuid FOR NO KEY UPDATE`
    const before = await requirePanel(ctx, id, tx)
    if (runId !== null && !before.runs.some((run) => run.id === runId))
      throw new ValidationError({
        runId: 'This run is no member of the panel. Pick one of its members.',
      })
    if (before.chosenAt && before.chosenRunId === runId && before.chosenNote === note)
      return unchanged({ choice: choiceOf(before) })
    const isNothing = runId === null && note === ''
    const after = await tx.panel.update({
      where: { id },
      data: isNothing
        ? { chosenRunId: null, chosenNote: '', chosenBy: null, chosenAt: null }
        : { chosenRunId: runId, chosenNote: note, chosenBy: actor.email, chosenAt: new Date() },
    })
    return changed(
      { choice: choiceOf(after) },
      { subject: id, before: auditedChoice(before), after: auditedChoice(after) },
    )
  },
})

/** Returns what the audit keeps: not what the note says. */
function auditedChoice({ chosenRunId, chosenNote }: Chosen) {
  return { runId: chosenRunId, noteCharacters: chosenNote.length }
}
