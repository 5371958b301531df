import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { addCost } from '@/lib/protocol/cost/cost'
import { CostBound } from '@/lib/protocol/cost/money'
import { roleTitle } from '@/lib/protocol/panel/role-words'
import type { PanelRow } from '@/lib/runs/panels/panel-schemas'
import { readPanelRows } from '@/lib/runs/panels/panels'
import { visibleRuns } from '../require-run'
import type { RunFilter, RunRow } from '../schemas'
import type { FoldedPanel, ListedRun } from './listed-run'
import { orderOf, runConditions } from './run-query'
import { toRows, withNames } from './run-rows'

/**
 * Returns one page of `listRuns` with the members of each panel folded into one row. A panel stands where the first of its
 * members that fit the filter stands in the whole list, so it is on one page only, and pages stay those of the runs.
 */
export async function foldPanels(
  ctx: Ctx,
  filter: RunFilter,
  rows: readonly RunRow[],
): Promise<ListedRun[]> {
  const ids = rows.map(({ runId }) => runId)
  const ofPanels = await db().run.findMany({
    where: { id: { in: ids }, panelId: { not: null } },
    select: { panelId: true },
    distinct: ['panelId'],
  })
  if (ofPanels.length === 0) return [...rows]
  const ofPanel = { panelId: { in: ofPanels.flatMap(({ panelId }) => panelId ?? []) } }
  const [panels, runs, fitting] = await Promise.all([
    readPanelRows(ctx, ofPanel.panelId.in),
    db().run.findMany({ where: { AND: [visibleRuns(ctx), ofPanel] }, include: withNames }),
    db().run.findMany({
      where: { AND: [await runConditions(ctx, filter), ofPanel] },
      orderBy: orderOf(filter.sort),
      select: { id: true, panelId: true },
    }),
  ])
  const known = new Map(rows.map((row) => [row.runId, row]))
  const others = await toRows(
    ctx,
    runs.filter(({ id }) => !known.has(id)),
  )
  const all = new Map([...rows, ...others].map((row) => [row.runId, row]))
  const folded = new Map<string, ListedRun>()
  const isFolded = new Set<string>()
  for (const panel of panels) {
    const fits = fitting.filter(({ panelId }) => panelId === panel.panelId).map(({ id }) => id)
    const row = toPanel(panel, all, new Set(fits))
    if (!row || fits[0] === undefined) continue
    folded.set(fits[0], row)
    for (const { runId } of row.panel?.runs ?? []) isFolded.add(runId)
  }
  return rows.flatMap((row) => folded.get(row.runId) ?? (isFolded.has(row.runId) ? [] : [row]))
}

/** Returns the row of a panel; null = its runs were deleted meanwhile. */
function toPanel(
  { panelId, title, status, members }: PanelRow,
  rows: ReadonlyMap<string, RunRow>,
  fits: ReadonlySet<string>,
): ListedRun | null {
  const runs = members.flatMap(({ name, runId }, place): ListedRun[] => {
    const row = rows.get(runId ?? '')
    const role = roleTitle(members, place)
    return row ? [{ ...row, member: role ? `${role}: ${name}` : name }] : []
  })
  const [first] = runs
  if (!first) return null
  const { member: _member, ...figures } = together(runs, first, status)
  const isWhole = runs.every(({ runId }) => fits.has(runId))
  const found = runs.filter(({ runId }) => fits.has(runId)).map(({ member = '' }) => member)
  const panel: FoldedPanel = {
    panelId,
    title,
    status,
    members,
    runs,
    fitting: isWhole ? null : found,
  }
  return { ...figures, runId: panelId, prompt: title, panel }
}

/** Returns the figures of all members as those of one row. */
function together(
  runs: readonly ListedRun[],
  first: ListedRun,
  status: PanelRow['status'],
): ListedRun {
  const sum = (of: (row: RunRow) => number) => runs.reduce((all, row) => all + of(row), 0)
  /** Returns the name that all have, or how many there are; "" = none has one. */
  const nameOf = (things: string, of: (row: RunRow) => string | undefined) => {
    const [one = '', ...more] = new Set(runs.flatMap((row) => of(row) ?? []))
    return more.length === 0 ? one : `${more.length + 1} ${things}`
  }
  const open = runs.filter((row) => row.status !== 'ended')
  const waits = open.length > 0 && open.every((row) => row.status === 'waiting')
  const [model, connection] = [
    nameOf('models', (row) => row.model?.name),
    nameOf('connections', (row) => row.connection?.name),
  ]
  const bounds = runs.map(({ costBound }) => CostBound.options.indexOf(costBound))
  return {
    ...first,
    status: status === 'ended' ? 'ended' : waits ? 'waiting' : 'running',
    waiting: null,
    endReason: null,
    failure: null,
    notStarted: false,
    note: null,
    truncated: runs.some(({ truncated }) => truncated),
    configurationName: nameOf('configurations', (row) => row.configurationName),
    model: model === '' ? null : { id: null, name: model },
    connection: connection === '' ? null : { id: '', name: connection },
    callTrouble: {
      failed: sum(({ callTrouble }) => callTrouble.failed),
      denied: sum(({ callTrouble }) => callTrouble.denied),
      timedOut: sum(({ callTrouble }) => callTrouble.timedOut),
    },
    rounds: sum(({ rounds }) => rounds),
    calls: sum(({ calls }) => calls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    costMicroUsd: runs.reduce<number | null>((all, row) => addCost(all, row.costMicroUsd), 0),
    costBound: CostBound.options[Math.max(...bounds)] ?? 'about',
    createdAt: runs.map(({ createdAt }) => createdAt).sort()[0] ?? first.createdAt,
    endedAt:
      status === 'ended'
        ? (runs
            .map((row) => row.endedAt ?? '')
            .sort()
            .at(-1) ?? null)
        : null,
    waitedForPeopleMs: 0,
    waitedForPlaceMs: 0,
    tags: [...new Set(runs.flatMap(({ tags }) => tags))],
  }
}
