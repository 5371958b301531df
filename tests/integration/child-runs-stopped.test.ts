import { describe, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { Prisma } from '@/lib/generated/prisma/client'
import { cancelRun } from '@/lib/runs/verbs'
import { switchTool } from '@/lib/toolset/tool-verbs'
import { childSiteOfFile } from '../support/child-site'
import { db } from '../support/fixture-db'

const { own, admin, endOf, endsWithin, hanging } = childSiteOfFile()

describe('nothing goes on that nobody waits for', () => {
  test('a stop', async () => {
    const both = await hanging()
    await cancelRun(admin(), { runId: both.runId })
    expect(await endsWithin(2_000, both)).toEqual(['cancelled', 'cancelled'])
    const audit = await db().auditEntry.findFirst({
      where: { action: 'run.cancel', objectId: both.runId },
    })
    expect(audit?.after).toEqual({ stoppedRuns: [both.childId] })
  })

  test('a freeze', async () => {
    const both = await hanging()
    await freezeSite(admin(), { reason: 'A leak' })
    const reasons = await endsWithin(2_000, both).finally(() => unfreezeSite(admin(), {}))
    expect(reasons).toEqual(['frozen', 'frozen'])
  })

  test('a right of the run that is taken away', async () => {
    const both = await hanging()
    const where = { identifier: own() }
    await db().configuration.update({ where, data: { enabled: false } })
    const reasons = await endsWithin(2_500, both)
    await db().configuration.update({ where, data: { enabled: true } })
    expect(reasons).toEqual(['revoked', 'cancelled'])
  })

  test('the tool that is switched off', async () => {
    const { runId, childId } = await hanging()
    await switchTool(admin(), { name: 'spawn_run', enabled: false, reason: 'enough' })
    const { end } = await endOf(childId)
    await switchTool(admin(), { name: 'spawn_run', enabled: true, reason: 'again' })
    expect(end).toMatchObject({
      reason: 'cancelled',
      message: 'Stopped by the run that started it.',
    })
    const { rounds } = await endOf(runId)
    expect(rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'cancelled' } })
  })

  test('a tool that the run may no longer use, although its child may', async () => {
    const { runId, childId } = await hanging()
    const where = { identifier: own() }
    await db().configuration.update({ where, data: { allowedToolGroups: ['agents'] } })
    const { end } = await endOf(childId)
    await db().configuration.update({ where, data: { allowedToolGroups: Prisma.DbNull } })
    expect(end?.reason).toBe('cancelled')
    const { rounds } = await endOf(runId)
    expect(rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { code: 'narrowed' } })
  })
})
