import { expect } from 'vitest'
import { shippedInstructions } from '@/lib/protocol/panel/coordination'
import { panelRoles } from '@/lib/protocol/panel/role-words'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { readPanel } from '@/lib/runs/panels/read-panel'
import { startCoordination } from '@/lib/runs/panels/start-coordination'
import { toRunEvent } from '@/lib/runs/run-record'
import { db } from './fixture-db'
import type { ScriptedTurn, ServedRequest } from './model-server/scripted-turn'
import type { PanelSite } from './panel-site'
import { words } from './words'

/** The roles of these coordinations by their places. */
const roles = ['proposer', 'critic', 'critic', 'critic', 'synthesizer'] as const
const lastPlace = roles.length - 1
const places = roles.map((_role, place) => place)

/** The lines that a run writes outside, and what it answers. */
export type Work = { lines: string[]; answer: string }

/** Returns what the role at a place does: all but the last write two lines, which name task and place, and then answer. */
function workOf(task: string, place: number): Work {
  const own = `${task} at place ${place}`
  const answer = `${words(6)} of ${own}`
  const envelopes = {
    proposer: { answer, reasons: [], evidence: [], confidence: 1 },
    critic: { verdict: 'revise', issues: [{ severity: 'low', quote: task, issue: answer }] },
    synthesizer: { answer, taken: [], not_taken: [], open_points: [] },
  }
  return {
    lines: place === lastPlace ? [] : [1, 2].map((part) => `${own}, part ${part}.`),
    answer: JSON.stringify(envelopes[roles[place] ?? 'critic']),
  }
}

/** Returns how the model of a role answers; null = the request is of no role. Model `model-N` is that of the role at place N. */
export function turnOfRole({ system, prompt, model, round }: ServedRequest): ScriptedTurn | null {
  if (!panelRoles.some((role) => system.includes(shippedInstructions[role]))) return null
  const [task = ''] = /coordination \d+/.exec(prompt) ?? []
  const { lines, answer } = workOf(task, Number(model.slice('model-'.length)))
  const text = lines[round]
  if (text === undefined) return { text: answer, chunkDelayMs: 20 }
  return {
    calls: [{ name: 'append_line', arguments: { text, delayMs: 40, delayAfterMs: 40 } }],
  }
}

export type Coordination = { panelId: string; task: string }

let started = 0

/** Starts a coordination of five roles, of which all but the last write. */
export async function startFive({ admin, configurations }: PanelSite): Promise<Coordination> {
  started += 1
  const task = `coordination ${started}`
  const [proposer, ...others] = configurations.map((configuration) => ({ configuration }))
  const synthesizer = others.pop()
  if (!proposer || !synthesizer) throw new Error('There are not enough configurations.')
  const input = { proposer, critics: others, synthesizer }
  const { panelId } = await startCoordination(admin, {
    ...input,
    prompt: task,
    tools: ['append_line'],
  })
  return { panelId, task }
}

/**
 * Checks that a coordination ended: each role began once, after those before it had ended and with what they wrote, and its
 * records of usage and of its start are there once. Returns its runs, and for how many ms roles stood still before they began.
 */
export async function expectCoordination(
  { admin }: PanelSite,
  { panelId, task }: Coordination,
): Promise<{ runs: (Work & { runId: string })[]; pauses: number[] }> {
  const { hasTurns, refusals, runs } = await db().panel.findUniqueOrThrow({
    where: { id: panelId },
    include: {
      runs: {
        orderBy: { panelPlace: 'asc' },
        include: { usageRecords: true, events: { orderBy: { seq: 'asc' } } },
      },
    },
  })
  expect({ hasTurns, refusals }).toEqual({ hasTurns: false, refusals: {} })
  expect(runs.map(({ panelPlace }) => panelPlace)).toEqual(places)
  const ids = runs.map(({ id }) => id)
  const { status, members } = await readPanel(admin, { panelId })
  expect(status).toBe('ended')
  expect(members.map(({ role }) => role)).toEqual(roles)
  expect(members.map(({ run }) => run?.runId)).toEqual(ids)
  const begun = { action: 'run.start', objectId: { in: ids } }
  expect(await db().auditEntry.count({ where: begun })).toBe(roles.length)
  const work = places.map((place) => workOf(task, place))
  const pauses: number[] = []
  for (const [place, { events, usageRecords, costMicroUsd }] of runs.entries()) {
    const state = foldRun(events.map(toRunEvent))
    expect(state.end?.structured).toEqual(JSON.parse(work[place]?.answer ?? ''))
    const costs = usageRecords.map((record) => Number(record.costMicroUsd))
    expect(costs.reduce((a, b) => a + b, 0)).toBe(state.costMicroUsd)
    expect(Number(costMicroUsd)).toBe(state.costMicroUsd)
    const before = runs.slice(0, roles.indexOf(roles[place] ?? 'critic'))
    const begunAt = events[0]?.at.getTime() ?? Number.NaN
    const endedAt = Math.max(...before.map((run) => run.events.at(-1)?.at.getTime() ?? Number.NaN))
    if (before.length > 0) pauses.push(begunAt - endedAt)
    for (const earlier of before.keys())
      expect(state.start?.prompt).toContain(work[earlier]?.answer)
  }
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0)
  const written = ids.map((runId, place) => ({ runId, ...workOf(task, place) }))
  return { runs: written, pauses }
}
