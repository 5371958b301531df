import 'server-only'
import type { Panel, Run } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { type Tx, unaudited, withTransaction } from '@/lib/kernel/db'
import { AppError, RateLimitedError, UnavailableError } from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { addCost } from '@/lib/protocol/cost/cost'
import {
  envelopes,
  nextRoles,
  type RoleState,
  type RoleText,
  rolePrompt,
} from '@/lib/protocol/panel/coordination'
import { hopBudgets } from '@/lib/protocol/panel/panel'
import { PanelStart } from '@/lib/protocol/panel/panel-start'
import { answerOf } from '@/lib/protocol/run/run-answer'
import { capDecisionOf } from '@/lib/runs/approvals/read-decisions'
import { readTurns, type StoredTurn } from '@/lib/runs/conversations/earlier-turns'
import type { Engine } from '@/lib/runs/engine/engine'
import type { NewRun } from '@/lib/runs/engine/live-runs'
import { toSource } from '@/lib/runs/run-record'
import { nullIfPolicyChanged } from '@/lib/runs/start/policy-cache'
import { formatCostMicroUsd } from '@/lib/words/format'
import type { MemberDraft } from './new-panel'
import { Refusals } from './panels'
import { insertMembers, planMember } from './store-panel'

type Member = PanelStart['members'][number]
type Row = Panel & {
  runs: Run[]
  user: { email: string; role: Ctx['actor']['role']; gone: boolean }
}

/** Attempts to plan a turn whose policy changed before its runs were stored. */
const mostTries = 10

/**
 * Begins the roles of a coordination whose turn it is (SPEC Q2), at most once each, whichever processes call this at the same
 * moment: the row of the panel is locked, and no two runs have one place. What forbids a role is kept with it, and the others
 * go on.
 */
export async function advancePanel(engine: Engine, panelId: string): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const begun = await withTransaction(
      (tx) => turnOf(engine, panelId, tx),
      engine.database.client,
    ).catch(nullIfPolicyChanged)
    if (!begun) continue
    for (const run of begun) engine.work.start(run)
    return
  }
  log.warn(
    { source: 'panels', panelId },
    'The policy changes too often to begin a role; trying again',
  )
}

/** Looks at the coordinations that may have roles to begin: a process may have died between the end of one and the next. */
export async function advancePanels(engine: Engine): Promise<void> {
  const rows = await engine.database.client.panel.findMany({
    where: { hasTurns: true, runs: { every: { status: 'ended' } } },
    select: { id: true },
    take: 100,
  })
  for (const { id } of rows) await advancePanel(engine, id)
}

async function turnOf(engine: Engine, panelId: string, tx: Tx): Promise<NewRun[]> {
  const panel = await lockPanel(tx, panelId)
  if (!panel) return []
  const { members } = PanelStart.parse(panel.start)
  const refusals = Refusals.parse(panel.refusals)
  const turns = await readMembers(engine, panel, tx)
  const next = nextRoles(rolesOf(panel, members, { refusals, turns }))
  if (next.type === 'wait') return []
  const refused: Record<string, string> = {}
  const begun: NewRun[] = []
  let began = 0
  if (next.type === 'over') {
    const why = reasonAgainst(panel) ?? 'There is no proposal to work on.'
    for (const place of next.left) refused[place] = why
  } else {
    for (const place of next.places) {
      const answer = await begin(engine, panel, { place, members, turns }, tx)
      if (answer.type === 'refused') refused[place] = answer.why
      else began += 1
      if (answer.type === 'begun') begun.push(...answer.runs)
    }
  }
  // The synthesizer is the last.
  const isOver = next.type === 'over' || next.places.includes(members.length - 1)
  await unaudited(tx, 'the members and their journals say it').panel.update({
    where: { id: panelId },
    data: { refusals: { ...refusals, ...refused }, ...(isOver && { hasTurns: false }) },
  })
  // No run began whose end would call this again, but others may have their turn now.
  return isOver || began > 0 ? begun : turnOf(engine, panelId, tx)
}

type Known = { refusals: Readonly<Record<string, string>>; turns: ReadonlyMap<number, StoredTurn> }

function rolesOf({ runs }: Row, members: readonly Member[], { refusals, turns }: Known) {
  return members.map(({ role = 'critic' }, place): RoleState => {
    const turn = turns.get(place)
    const isOpen = runs.some((run) => run.panelPlace === place && run.status !== 'ended')
    return {
      role,
      begun: turn !== undefined || isOpen,
      settled: (turn !== undefined && !isOpen) || refusals[String(place)] !== undefined,
      hasText: turn !== undefined && answerOf(turn.state) !== '',
    }
  })
}

type Begun = { type: 'refused'; why: string } | { type: 'begun'; runs: NewRun[] }

/** Stores the run of one role. It may have to wait for a place, and begins by itself then. */
async function begin(
  engine: Engine,
  panel: Row,
  { place, ...before }: Before & { place: number },
  tx: Tx,
): Promise<Begun> {
  const why = reasonAgainst(panel)
  const member = before.members[place]
  if (why !== null || !member) return { type: 'refused', why: why ?? 'It is not there any more.' }
  const ctx = ctxOf(panel)
  const input = { panelId: panel.id, place, carried: [...before.turns.values()] }
  try {
    const wish = wishOf(panel, member, before)
    const { planned, refusal } = await planMember(engine, ctx, { wish, ...input }, tx)
    if (planned === null) return { type: 'refused', why: refusal }
    if (planned.run.accessEpoch !== panel.accessEpoch)
      return {
        type: 'refused',
        why: 'The access of its person was ended and given anew meanwhile.',
      }
    if (planned.run.freezes !== panel.freezes)
      return { type: 'refused', why: 'The site was frozen meanwhile, which ended this panel.' }
    const room = engine.places.room()
    const runs = await insertMembers(tx, ctx, { engine, room, plans: [planned] })
    return { type: 'begun', runs }
  } catch (error) {
    // A temporary refusal, such as too many waiting runs, is tried again.
    const passes = error instanceof UnavailableError || error instanceof RateLimitedError
    if (!(error instanceof AppError) || passes) throw error
    return { type: 'refused', why: error.message }
  }
}

/** Locks a panel against others that begin its roles. Null = it has none left to begin. */
async function lockPanel(tx: Tx, panelId: string): Promise<Row | null> {
  await tx.$queryRaw`SELECT 1 AS locked FROM panels WHERE id = ${panelId}::uuid FOR NO KEY UPDATE`
  const panel = await tx.panel.findFirst({
    where: { id: panelId, hasTurns: true },
    include: { runs: true, user: true },
  })
  if (!panel) return null
  const { email, role, disabledAt, deletedAt } = panel.user
  return { ...panel, user: { email, role, gone: disabledAt !== null || deletedAt !== null } }
}

/** Returns the members that ended, by their place. */
async function readMembers(
  engine: Engine,
  { runs }: Row,
  tx: Tx,
): Promise<Map<number, StoredTurn>> {
  const turns = new Map<number, StoredTurn>()
  for (const { id, status, panelPlace } of runs) {
    if (status !== 'ended' || panelPlace === null) continue
    const turn = (await readTurns(tx, engine.turns, id)).at(-1)
    if (turn) turns.set(panelPlace, turn)
  }
  return new Map([...turns].sort(([a], [b]) => a - b))
}

function ctxOf({ userId, user, source, apiKeyId, start }: Row): Ctx {
  const actor = { userId, email: user.email, role: user.role }
  const { starters = [], schedule } = PanelStart.parse(start)
  const by = { ...(apiKeyId && { apiKeyId }), ...(schedule && { schedule }) }
  return { actor, via: toSource(source), ipAddress: null, starters, ...by }
}

/** Returns why nothing of a panel begins any more; null = it may. */
function reasonAgainst({ user, stoppedBy, runs, start, ...chosen }: Row): string | null {
  if (stoppedBy !== null) return `Stopped by ${stoppedBy}.`
  if (user.gone) return 'The account of its person is not in use any more.'
  const { costCap } = PanelStart.parse(start)
  if (!costCap || (capDecisionOf(chosen)?.choice ?? costCap.mode) !== 'enforce') return null
  const spent = runs.reduce<number | null>(
    (sum, { costMicroUsd: cost }) => addCost(sum, cost === null ? null : Number(cost)),
    0,
  )
  if (spent !== null && spent < costCap.limitMicroUsd) return null
  return `The panel has cost ${formatCostMicroUsd(spent)} and reached its cap of ${formatCostMicroUsd(costCap.limitMicroUsd)}.`
}

type Before = { members: readonly Member[]; turns: ReadonlyMap<number, StoredTurn> }

function wishOf({ prompt, start, ...chosen }: Row, member: Member, before: Before): MemberDraft {
  const { tools, costCap: panelCap, task } = PanelStart.parse(start)
  const { role = 'critic', instructions = '', hops = hopBudgets.usual, costCap = null } = member
  const [first] = before.turns.values()
  return {
    configuration: member.configurationId ?? member.name,
    role,
    instructions,
    hops,
    costCap,
    panelCap,
    panelCapDecision: capDecisionOf(chosen),
    ofTask: task?.taskId,
    outputSchema: envelopes[role],
    prompt: rolePrompt(prompt, textsOf(before), unguessableTag()),
    files: (first?.state.start?.files ?? []).map(({ id, dataClass }) => ({
      id,
      ...(dataClass !== 'public' && { dataClass }),
    })),
    tools: role === 'synthesizer' ? [] : tools,
  }
}

/** Returns the random part of a fresh id, which nobody who wrote before could guess. */
function unguessableTag(): string {
  return newId().replaceAll('-', '').slice(-16)
}

function textsOf({ members, turns }: Before): RoleText[] {
  return [...turns].flatMap(([place, { state }]) => {
    const member = members[place]
    const text = answerOf(state)
    if (!member?.role || text === '') return []
    const isMarked = state.end?.structured === undefined
    return [{ role: member.role, name: member.name, text, isMarked }]
  })
}
