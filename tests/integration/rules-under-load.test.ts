import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { cancelRun } from '@/lib/runs/verbs'
import { createApiKey, limitApiKey } from '@/lib/toolset/api-key-verbs'
import { limitTool } from '@/lib/toolset/tool-verbs'
import { type ApprovalSite, openApprovalSite } from '../support/approval-site'
import { db } from '../support/fixture-db'
import { readPolicyStory, witnessPolicy } from '../support/policy-witness'
import { start } from '../support/run-site'
import { startWorker } from '../support/start-worker'

/** `npm run proof` takes 40 runs for each change; the ordinary suite a few. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const runs = full ? 40 : 4
const rounds = 45
const patienceMs = full ? 900_000 : 120_000
const tool = 'append_line'

let site: ApprovalSite
let apiKeyId: string
let keyed: Ctx

beforeAll(async () => {
  site = await openApprovalSite()
  await db().configuration.updateMany({ data: { afterUntrusted: 'allow' } })
  apiKeyId = (await createApiKey(site.admin, { name: 'Load', scopes: ['runs:write'] })).id
  keyed = { ...site.admin, via: 'api', apiKeyId }
  await witnessPolicy()
  await Promise.all([startWorker(), startWorker()])
})

afterAll(() => site.close())

const refuseAfterReads = (afterUntrusted: 'refuse' | 'allow') =>
  updateConfigurationPolicy(site.admin, {
    ...{ id: site.configuration, afterUntrusted, reason: 'It is a test.' },
  })

/** What an admin changes in the middle of runs, the gate that says no then, and how it is taken back. */
const changes: [string, string, () => Promise<unknown>, () => Promise<unknown>][] = [
  [
    'a rule refuses the tool',
    'rule',
    () => site.addRule({ name: 'No lines', action: 'deny' }),
    () => site.removeRules(),
  ],
  [
    'a run may call it no more often',
    'rate',
    () => limitTool(site.admin, { name: tool, perRun: 1 }),
    () => limitTool(site.admin, { name: tool, perRun: null }),
  ],
  [
    'the configuration refuses writes after untrusted reads',
    'flow',
    () => refuseAfterReads('refuse'),
    () => refuseAfterReads('allow'),
  ],
  [
    'the key of the runs may use other tools only',
    'selection',
    () => limitApiKey(site.admin, { id: apiKeyId, tools: ['slow_read'], reason: 'Less' }),
    () => limitApiKey(site.admin, { id: apiKeyId, tools: null, reason: 'More' }),
  ],
]

function promptOf(run: number): string {
  const calls = Array.from({ length: rounds }, (_, round) => {
    const args = { text: `${run}.${round}`, delayMs: 40 }
    return `[[wait 40ms]] [[call ${tool} ${JSON.stringify(args)}]]`
  })
  return [...calls, '[[say: done]]'].join(' [[then]] ')
}

const eventsOf = (runIds: string[], type: string) =>
  db().runEventRow.findMany({ where: { runId: { in: runIds }, type } })

const runsWith = async (runIds: string[], type: string) =>
  new Set((await eventsOf(runIds, type)).map(({ runId }) => runId)).size

/** Returns the gates that refused calls of these runs. */
async function refusals(runIds: string[]) {
  const ends = await eventsOf(runIds, 'call-end')
  return ends.flatMap(({ runId, data }) => {
    const { outcome } = JSON.parse(JSON.stringify(data))
    return outcome.type === 'denied' ? [{ runId, gate: outcome.gate }] : []
  })
}

test.each(changes)(
  `${runs} runs in two processes start no call after this is committed: %s`,
  async (_what, gate, change, takeBack) => {
    const prompts = Array.from({ length: runs }, (_, run) => promptOf(run))
    const from = { ...site, admin: keyed }
    const started = await Promise.all(
      prompts.map((prompt) => start(from, prompt, { maxRounds: rounds })),
    )
    const runIds = started.map(({ runId }) => runId)
    await expect.poll(() => runsWith(runIds, 'call-end')).toBe(runs)
    const owners = await db().run.groupBy({ by: ['instanceId'], where: { id: { in: runIds } } })
    expect(owners).toHaveLength(2)
    const known = (await readPolicyStory()).length
    await change()
    const denied = async () => new Set((await refusals(runIds)).map(({ runId }) => runId)).size
    await expect.poll(denied).toBe(runs)
    for (const runId of runIds) await cancelRun(site.admin, { runId, reason: 'It was seen.' })

    const story = (await readPolicyStory()).slice(known)
    const committed = story.findIndex(({ what }) => what === 'change')
    const isCall = ({ tool: called, runId }: (typeof story)[number]) =>
      called === tool && runIds.includes(runId ?? '')
    expect(committed).toBeGreaterThanOrEqual(0)
    expect(story.slice(committed).filter(isCall)).toEqual([])
    // Nothing was refused for another reason.
    const gates = new Set((await refusals(runIds)).map((each) => each.gate))
    expect([...gates].filter((each) => each !== gate)).toEqual([])
    await takeBack()
  },
  patienceMs,
)
