import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { createApiKey, limitApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { cancelRun } from '@/lib/runs/verbs'
import { limitTool } from '@/lib/toolset/tools/tool-verbs'
import { type ApprovalSite, openApprovalSite } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { readPolicyStory, witnessPolicy } from '@/tests/support/policy-witness'
import { start } from '@/tests/support/run-site'
import { startWorker } from '@/tests/support/start-worker'

/** `npm run proof` takes 40 runs and five switches for each change; the ordinary suite a few. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const runs = full ? 40 : 4
const switches = full ? 5 : 3
/** More than are needed: whoever has made all its calls is no witness. */
const rounds = 150
const patienceMs = full ? 900_000 : 240_000
const tool = 'append_line'

let site: ApprovalSite
let apiKeyId: string
let keyed: Ctx

beforeAll(async () => {
  site = await openApprovalSite()
  await db().configuration.updateMany({ data: { afterUntrusted: 'allow' } })
  apiKeyId = (await createApiKey(site.admin, { name: 'Load', scopes: ['runs:write'] })).id
  keyed = { ...site.admin, via: 'api', apiKeyId }
  await updateSettings(site.admin, { maxRounds: rounds })
  await witnessPolicy()
  // Each process has room for half of the runs, so that both work on some.
  const env = { TOOLGATE_RUNS_PER_PROCESS: String(runs / 2) }
  await Promise.all([startWorker({ env }), startWorker({ env })])
})

afterAll(() => site.close())

const setAfterReads = (afterUntrusted: 'refuse' | 'allow') =>
  updateConfigurationPolicy(site.admin, {
    id: site.configuration,
    afterUntrusted,
    reason: 'It is a test.',
  })
const setKey = (tools: string[] | null) =>
  limitApiKey(site.admin, { id: apiKeyId, tools, reason: 'It is a test.' })

/** A switch that an admin uses in the middle of runs. `gate` denies while it is on. */
type Switch = {
  what: string
  gate: string
  on: () => Promise<unknown>
  off: () => Promise<unknown>
}
const all: Switch[] = [
  {
    what: 'a rule refuses the tool',
    gate: 'rule',
    on: () => site.addRule({ name: 'No lines', action: 'deny' }),
    off: () => site.removeRules(),
  },
  {
    what: 'a run may call it no more often',
    gate: 'rate',
    on: () => limitTool(site.admin, { name: tool, perRun: 1 }),
    off: () => limitTool(site.admin, { name: tool, perRun: null }),
  },
  {
    // Starts are counted while there is a limit, so that those before the lower one have used it up.
    what: 'nobody may call it more often in this minute',
    gate: 'rate',
    on: () => limitTool(site.admin, { name: tool, perMinute: 1 }),
    off: () => limitTool(site.admin, { name: tool, perMinute: 1_000 }),
  },
  {
    what: 'the configuration refuses writes after untrusted reads',
    gate: 'flow',
    on: () => setAfterReads('refuse'),
    off: () => setAfterReads('allow'),
  },
  {
    what: 'the key of the runs may use other tools only',
    gate: 'selection',
    on: () => setKey(['slow_read']),
    off: () => setKey(null),
  },
]

function promptOf(run: number): string {
  const calls = Array.from({ length: rounds }, (_, round) => {
    const args = { text: `${run}.${round}`, delayMs: 40 }
    return `[[wait 100ms]] [[call ${tool} ${JSON.stringify(args)}]]`
  })
  return [...calls, '[[say: done]]'].join(' [[then]] ')
}

/** Starts the runs, and returns the process of each once all of them have made a call. */
async function startRuns(): Promise<Map<string, string>> {
  const from = { ...site, admin: keyed }
  const started = await Promise.all(
    Array.from({ length: runs }, (_, run) => start(from, promptOf(run), { maxRounds: rounds })),
  )
  const ids = started.map(({ runId }) => runId)
  await expect.poll(async () => Object.keys(await endsOf(ids)).length).toBe(runs)
  const rows = await db().run.findMany({ where: { id: { in: ids } } })
  return new Map(rows.map(({ id, instanceId }) => [id, instanceId ?? '']))
}

/** Returns by run how many calls ended, or how many of these the gate refused. */
async function endsOf(runIds: Iterable<string>, gate?: string): Promise<Record<string, number>> {
  const rows = await db().runEventRow.groupBy({
    by: ['runId'],
    where: {
      runId: { in: [...runIds] },
      type: 'call-end',
      ...(gate && { data: { path: ['outcome', 'gate'], equals: gate } }),
    },
    _count: true,
  })
  return Object.fromEntries(rows.map(({ runId, _count }) => [runId, _count]))
}

/** Returns the gates that refused calls of these runs. */
async function refusingGates(runIds: Iterable<string>): Promise<Set<string>> {
  const ends = await db().runEventRow.findMany({
    where: { runId: { in: [...runIds] }, type: 'call-end' },
  })
  const outcomes = ends.map(({ data }) => JSON.parse(JSON.stringify(data)).outcome)
  return new Set(outcomes.flatMap(({ type, gate }) => (type === 'denied' ? gate : [])))
}

/** Reads what the database sees from now on of the calls of these runs, in the order of commits. */
async function openStory(owners: ReadonlyMap<string, string>) {
  const known = (await readPolicyStory()).length
  const read = async () => (await readPolicyStory()).slice(known)
  return {
    /** Returns how often the policy has changed. */
    changes: async () => (await read()).filter(({ what }) => what === 'change').length,
    /** Returns the calls that started after so many changes, each with how many there were before it. */
    startsAfter: async (changes: number) => {
      let after = 0
      return (await read()).flatMap(({ what, runId, tool: called }) => {
        if (what === 'change') after++
        const isOurs = what === 'start' && called === tool && owners.has(runId ?? '')
        return isOurs && after >= changes ? [{ runId: runId ?? '', after }] : []
      })
    },
  }
}

const startsByRun = (starts: { runId: string }[]) =>
  Object.fromEntries(starts.map(({ runId }) => [runId, 1]))

/** Returns how many processes have more of something than before. */
function processesWith(
  now: Record<string, number>,
  owners: ReadonlyMap<string, string>,
  before: Record<string, number> = {},
): number {
  const more = [...owners].filter(([id]) => (now[id] ?? 0) > (before[id] ?? 0))
  return new Set(more.map(([, owner]) => owner)).size
}

test.each(all)(
  `${runs} runs in two processes start no call while this is on, switched ${switches} times: $what`,
  async ({ gate, on, off }) => {
    await off()
    const owners = await startRuns()
    const processes = new Set(owners.values())
    expect(processes.size).toBe(2)
    const story = await openStory(owners)
    for (let time = 0; time < switches; time++) {
      const before = await endsOf(owners.keys(), gate)
      const open = await story.changes()
      await on()
      await expect
        .poll(async () => processesWith(await endsOf(owners.keys(), gate), owners, before))
        .toBe(2)
      await off()
      const closed = await story.changes()
      await expect
        .poll(async () => processesWith(startsByRun(await story.startsAfter(closed)), owners))
        .toBe(2)
      // One change may raise the version of the policy more than once.
      expect(closed - open).toBeGreaterThanOrEqual(2)
      const forbidden = (await story.startsAfter(open + 1)).filter(({ after }) => after < closed)
      expect(forbidden).toEqual([])
    }
    for (const runId of owners.keys()) {
      await cancelRun(site.admin, { runId, reason: 'It was seen.' })
    }
    // A tool that was offered while it was on may be called a moment later. No other reason refused a call.
    const gates = await refusingGates(owners.keys())
    expect([...gates].filter((each) => each !== gate && each !== 'offer')).toEqual([])
  },
  patienceMs,
)
