import 'server-only'
import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Ctx } from '@/lib/kernel/context'
import { database } from '@/lib/kernel/db'
import { runCostBound } from '@/lib/protocol/cost/cost'
import { capSummary, type MemberView, ownCapSummary, viewPanel } from '@/lib/protocol/panel/panel'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { CallState } from '@/lib/protocol/run/round-view'
import { answerOf, modelOf } from '@/lib/protocol/run/run-answer'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { Role } from '@/lib/protocol/tool'
import { capDecisionOf } from '@/lib/runs/approvals/read-decisions'
import { toRunEvent } from '@/lib/runs/run-record'
import { PanelSummary } from './panel-schemas'
import { choiceOf, requirePanel, startOfPanel } from './panels'

/** Returns a panel and the states of its members that were started, by the ids of their runs. */
export async function openPanel(ctx: Ctx, panelId: string) {
  const panel = await requirePanel(ctx, panelId)
  return { panel, start: startOfPanel(panel), states: await readStates(panel.id) }
}

/** Reads the journals of all members in one statement. */
async function readStates(panelId: string): Promise<Map<string, RunState>> {
  const { rows } = await database().pool.query<Parameters<typeof toRunEvent>[0]>(
    `SELECT e."runId", e.seq, e.type, e.data, e.at AT TIME ZONE 'UTC' AS at
     FROM runs r JOIN run_events e ON e."runId" = r.id WHERE r."panelId" = $1::uuid ORDER BY r.id, e.seq`,
    [panelId],
  )
  const events = new Map<string, RunEvent[]>()
  for (const event of rows.map(toRunEvent)) {
    const known = events.get(event.runId)
    if (known) known.push(event)
    else events.set(event.runId, [event])
  }
  return new Map([...events].map(([runId, of]) => [runId, foldRun(of)]))
}

/** Reads a panel. The state of each member is folded from its journal; the panel has no state of its own. */
export const readPanel = verb({
  name: 'panel.read',
  role: 'member',
  scope: 'runs:read',
  summary:
    'Returns a panel: the answer, the tools, the cost and the times of each member, and whom a person chose.',
  input: z.object({ panelId: z.string() }),
  output: PanelSummary,
  transaction: false,
  run: async ({ ctx, actor: { role: reader } }, { panelId }) => {
    const { panel, start, states } = await openPanel(ctx, panelId)
    const started = start.members.flatMap(({ runId }) => {
      const state = runId && states.get(runId)
      return state ? [{ runId, state }] : []
    })
    const view = viewPanel(
      { ...start, hasTurns: panel.hasTurns, capDecision: capDecisionOf(panel) },
      started.map(({ state }) => state),
    )
    const isCoordination = start.members.some(({ role }) => role)
    const members = new Map(started.map(({ runId }, place) => [runId, view.members[place]]))
    return {
      panelId: panel.id,
      task: start.task ?? null,
      status: view.endedAt === null ? ('running' as const) : ('ended' as const),
      kind: isCoordination ? ('coordinate' as const) : ('confer' as const),
      prompt: panel.prompt,
      userEmail: panel.user.email,
      tools: start.tools,
      appliesTo: isCoordination ? (['proposer', 'critic'] as const).slice() : [],
      hops: start.hops,
      members: start.members.map(({ configurationId, name, role = null, refusal, runId }) => {
        const member = runId === null ? undefined : members.get(runId)
        return {
          configurationId,
          name,
          role,
          refusal,
          run: runId !== null && member ? summaryOf(runId, member, reader) : null,
        }
      }),
      inputTokens: view.usage.inputTokens,
      outputTokens: view.usage.outputTokens,
      costMicroUsd: view.costMicroUsd,
      costCap:
        view.cap &&
        capSummary(view.cap, {
          caps: [{ scope: 'panel', ...view.cap }],
          role: reader,
          goesOn: view.endedAt === null,
        }),
      choice: choiceOf(panel),
      createdAt: panel.createdAt.toISOString(),
      endedAt: view.endedAt === null ? null : new Date(view.endedAt).toISOString(),
    }
  },
})

function summaryOf(runId: string, { state, isWaiting, workMs }: MemberView, reader: Role) {
  const { start, end, rounds, usage } = state
  const asking = rounds.filter(({ calls }) => calls.length > 0)
  return {
    runId,
    endReason: end?.reason ?? null,
    truncated: end?.truncated ?? false,
    waitsForPeople: isWaiting,
    message: end?.message ?? '',
    answer: answerOf(state),
    envelope: (start?.panelRole && end?.structured) ?? null,
    model: modelOf(state),
    tools: {
      accepted: start?.accepted.map(({ name }) => name) ?? [],
      rejected: (start?.rejected ?? []).map(({ name, gate, reason }) => ({ name, gate, reason })),
    },
    rounds: rounds.length,
    calls: rounds.reduce((sum, { calls }) => sum + calls.length, 0),
    toolCalls: asking.flatMap(({ calls }, place) =>
      calls.map(({ name, state }) => ({ hop: place + 1, name, ...standingOf(state) })),
    ),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    costMicroUsd: state.costMicroUsd,
    costBound: runCostBound(state),
    firstTokenMs: rounds.find(({ response }) => response)?.response?.firstTokenMs ?? null,
    workMs,
    costCap: ownCapSummary(state, reader),
  }
}

function standingOf(state: CallState) {
  if (state.type !== 'ended') return { status: state.type, gate: null }
  const { outcome } = state
  return { status: outcome.type, gate: outcome.type === 'denied' ? outcome.gate : null }
}
