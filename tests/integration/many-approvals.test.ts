import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import type { Ctx } from '@/lib/kernel/context'
import { type ApprovalRow, readApprovals } from '@/lib/runs/approvals/list-approvals'
import {
  type ApprovalSite,
  decide,
  finish,
  openApprovalSite,
  startAndWait,
} from '@/tests/support/approval-site'
import { addPerson } from '@/tests/support/people'
import { statementsOf } from '@/tests/support/statements-of'

const runs = 50
const callsEach = 4
const pageSize = 25

let site: ApprovalSite
let runIds: string[]

beforeAll(async () => {
  site = await openApprovalSite()
  await site.addRule()
  await site.startEngine()
  const calls = Array.from({ length: callsEach }, (_, call) => {
    return `[[call append_line {"text":"Line ${call} of a file that somebody waits for"}]]`
  })
  const prompt = `${calls.join(' ')} [[then]] [[say: done]]`
  const started = await pLimit(8).map(Array.from({ length: runs }), () =>
    startAndWait(site, prompt, callsEach),
  )
  runIds = started.map(({ runId }) => runId)
})

afterAll(() => site.close())

const read = (ctx: Ctx, page: number, size = pageSize) =>
  readApprovals(ctx, ApprovalFilter.parse({ status: 'pending', page, pageSize: size }))

async function readAll(ctx: Ctx): Promise<ApprovalRow[]> {
  const pages = await pLimit(1).map(Array.from({ length: 8 }), (_, nth) => read(ctx, nth + 1))
  return pages.flatMap(({ approvals }) => approvals)
}

test('200 waiting calls are on eight pages, each call once and the longest wait first', async () => {
  const rows = await readAll(site.admin)
  expect(new Set(rows.map(({ approvalId }) => approvalId)).size).toBe(runs * callsEach)
  expect((await read(site.admin, 1)).total).toBe(runs * callsEach)
  expect((await read(site.admin, 9)).approvals).toEqual([])
  const requested = rows.map(({ requestedAt }) => requestedAt)
  expect(requested).toEqual(requested.toSorted())
  expect(rows.every(({ mayDecide }) => mayDecide.allowed)).toBe(true)
})

test('a full page asks the database as often as a page of one call', async () => {
  const other = await addPerson('admin')
  for (const ctx of [site.admin, other]) {
    // The first read of a person fills what is remembered of them.
    await read(ctx, 1)
    const one = await statementsOf(() => read(ctx, 1, 1))
    const full = await statementsOf(() => read(ctx, 1))
    expect(one.length).toBeGreaterThan(5)
    expect(full.map(({ text }) => text)).toHaveLength(one.length)
  }
})

test('a page of ordinary calls is small', async () => {
  const { approvals } = await read(site.admin, 1)
  expect(approvals).toHaveLength(pageSize)
  expect(Buffer.byteLength(JSON.stringify(approvals))).toBeLessThan(pageSize * 2_048)
})

test('all of them are decided, page by page, and each run ends', async () => {
  for (let left = runs * callsEach; left > 0; left -= pageSize) {
    const { approvals, total } = await read(site.admin, 1)
    expect(total).toBe(left)
    await pLimit(4).map(approvals, (row, nth) =>
      decide(site.admin, row, { type: nth % 2 ? 'deny' : 'approve', message: '' }),
    )
  }
  expect(await read(site.admin, 1)).toEqual({ approvals: [], total: 0 })
  const states = await pLimit(8).map(runIds, (runId) => finish(site.admin, runId))
  expect(states.map(({ end }) => end?.reason)).toEqual(runIds.map(() => 'completed'))
})
