import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import { type ApprovalSite, finish, openApprovalSite } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { start } from '@/tests/support/run-site'
import { startWorker, stopped } from '@/tests/support/start-worker'

/** `npm run proof` lets 200 calls wait; the ordinary suite a few. */
const full = process.env.TOOLGATE_FULL_PROOF === '1'
const runs = full ? 50 : 3
const callsEach = 4
const patienceMs = full ? 900_000 : 120_000

let site: ApprovalSite
let approvers: [Ctx, Ctx]

beforeAll(async () => {
  site = await openApprovalSite()
  await site.addRule()
  approvers = [site.admin, await addPerson('admin')]
})

afterAll(() => site.close())

const textOf = (run: number, call: number) => `run ${run}, call ${call}`

function promptOf(run: number): string {
  const calls = Array.from({ length: callsEach }, (_, call) => {
    return `[[call append_line ${JSON.stringify({ text: textOf(run, call) })}]]`
  })
  return `${calls.join(' ')} [[then]] [[say: done]]`
}

const waiting = () =>
  db().approval.findMany({ where: { status: 'pending' }, orderBy: { id: 'asc' } })

type Waiting = Awaited<ReturnType<typeof waiting>>[number]

/** Lets one say yes and the other no at the same moment. One of them is told that it was decided. */
async function decideTwice({ id: approvalId, argumentsHash }: Waiting): Promise<void> {
  const types = ['approve', 'deny'] as const
  const answers = await Promise.allSettled(
    approvers.map((ctx, nth) => {
      const type = types[nth] ?? 'deny'
      return decideApproval(ctx, { approvalId, argumentsHash, decision: { type, message: '' } })
    }),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = answers.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { status: 409 } })
}

const decideAll = (rows: readonly Waiting[]) => pLimit(8).map(rows, decideTwice)

test(
  `${runs * callsEach} waiting calls, decided by two people at once around a restart, are decided and made once each`,
  async () => {
    const first = await startWorker()
    const prompts = Array.from({ length: runs }, (_, run) => promptOf(run))
    const started = await pLimit(8).map(prompts, (prompt) => start(site, prompt))
    await expect.poll(async () => (await waiting()).length).toBe(runs * callsEach)

    // No round begins before all its calls are decided, so that none is in flight when the process is killed.
    const rows = await waiting()
    const early = started.flatMap(({ runId }) =>
      rows.filter((row) => row.runId === runId).slice(0, 2),
    )
    await decideAll(early)
    await stopped(first)
    expect(await site.writtenLines()).toEqual([])
    await startWorker()
    await decideAll(rows.filter((row) => !early.includes(row)))

    const states = await pLimit(8).map(started, ({ runId }) => finish(site.admin, runId))
    expect(states.map(({ end }) => end?.reason)).toEqual(started.map(() => 'completed'))
    const ends = states.flatMap(({ rounds }) =>
      rounds.flatMap(({ calls }) => calls.map(({ state }) => state)),
    )
    const decided = await db().approval.findMany({
      where: { id: { in: rows.map(({ id }) => id) } },
    })
    const approved = decided.filter(({ status }) => status === 'approved')
    expect(decided.filter(({ status }) => status === 'denied')).toHaveLength(
      rows.length - approved.length,
    )
    expect(ends.filter((end) => end.type === 'ended' && end.outcome.type === 'ok')).toHaveLength(
      approved.length,
    )
    const texts = approved.map(({ argumentsText }) => JSON.parse(argumentsText).text)
    expect((await site.writtenLines()).toSorted()).toEqual(texts.toSorted())
    const audited = await db().auditEntry.findMany({
      where: { objectId: { in: rows.map(({ id }) => id) } },
    })
    expect(audited.map(({ objectId }) => objectId).toSorted()).toEqual(
      rows.map(({ id }) => id).toSorted(),
    )
  },
  patienceMs,
)
