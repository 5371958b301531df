import { describe, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { Prisma } from '@/lib/generated/prisma/client'
import { cancelRun } from '@/lib/runs/verbs'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { childSiteOfFile } from '@/tests/support/child-site'
import { db } from '@/tests/support/fixture-db'

const { own, admin, endOf, endsWithin, hanging } = childSiteOfFile()

const endsOf = async (runIds: string[]) =>
  (await Promise.all(runIds.map(endOf))).map(({ end }) => end)

describe('nothing goes on that nobody waits for', () => {
  test('a stop', async () => {
    const all = await hanging(1, 3)
    await cancelRun(admin(), { runId: all.runId })
    expect(await endsWithin(2_000, all)).toEqual(Array(4).fill('cancelled'))
    const audit = await db().auditEntry.findFirst({
      where: { action: 'run.cancel', objectId: all.runId },
    })
    expect(audit?.after).toEqual({ stoppedRuns: expect.arrayContaining(all.childIds) })
  })

  test('a freeze', async () => {
    const all = await hanging(1, 3)
    await freezeSite(admin(), { reason: 'A leak' })
    const reasons = await endsWithin(2_000, all).finally(() => unfreezeSite(admin(), {}))
    expect(reasons).toEqual(Array(4).fill('frozen'))
  })

  test('a right of the run that is taken away', async () => {
    const all = await hanging(1, 3)
    const where = { identifier: own() }
    await db().configuration.update({ where, data: { enabled: false } })
    const reasons = await endsWithin(2_500, all)
    await db().configuration.update({ where, data: { enabled: true } })
    expect(reasons).toEqual(['revoked', 'cancelled', 'cancelled', 'cancelled'])
  })

  test('the time limit of the run', async () => {
    const where = { identifier: own() }
    const timeLimitMs = 1_500
    await db().configuration.update({ where, data: { timeLimitMs } })
    const all = await hanging(1, 3)
    await db().configuration.update({ where, data: { timeLimitMs: 600_000 } })
    const reasons = await endsWithin(timeLimitMs + 2_000, all)
    expect(reasons).toEqual(['time-limit', 'cancelled', 'cancelled', 'cancelled'])
  })

  test('the tool that is switched off', async () => {
    const { runId, childIds } = await hanging(1, 3)
    await switchTool(admin(), { name: 'spawn_run', enabled: false, reason: 'enough' })
    const ends = await endsOf(childIds)
    await switchTool(admin(), { name: 'spawn_run', enabled: true, reason: 'again' })
    const stopped = { reason: 'cancelled', message: 'Stopped by the run that started it.' }
    expect(ends).toMatchObject(Array(3).fill(stopped))
    const { rounds } = await endOf(runId)
    const cancelled = { state: { outcome: { type: 'cancelled' } } }
    expect(rounds[0]?.calls).toMatchObject(Array(3).fill(cancelled))
  })

  test('a tool that the run may no longer use, although its child may', async () => {
    const { runId, childIds } = await hanging(1, 3)
    const where = { identifier: own() }
    await db().configuration.update({ where, data: { allowedToolGroups: ['agents'] } })
    const ends = await endsOf(childIds)
    await db().configuration.update({ where, data: { allowedToolGroups: Prisma.DbNull } })
    expect(ends).toMatchObject(Array(3).fill({ reason: 'cancelled' }))
    const { rounds } = await endOf(runId)
    const narrowed = { state: { outcome: { code: 'narrowed' } } }
    expect(rounds[0]?.calls).toMatchObject(Array(3).fill(narrowed))
  })
})
