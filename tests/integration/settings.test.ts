import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '@/lib/domains/settings/shape'
import { readSettings, updateSettings } from '@/lib/domains/settings/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const settingsRoute = apiRoute('/settings')

const hour = 3_600_000
let admin: Ctx
let member: Ctx

beforeAll(async () => {
  admin = await addPerson('admin', 'ada@example.org')
  member = await addPerson('member')
})
beforeEach(() => db().setting.deleteMany())

/** Returns how long an approval may wait, as the engine reads it right before it asks for one. */
async function lifetimeOfRuns(): Promise<number> {
  const input = { userId: admin.actor.userId, apiKeyId: null, snapshot: null, selected: null }
  return (await loadSubject(db(), input)).approvalLifetimeMs
}

function lastAudit() {
  return db().auditEntry.findFirst({
    where: { action: 'setting.update' },
    orderBy: { id: 'desc' },
  })
}

describe('settings', () => {
  test('a change that is based on another value is refused as a whole, and says which', async () => {
    await updateSettings(admin, { maxRounds: 60, expected: { maxRounds: 50 } })
    const both = { maxRounds: 70, siteRuns: 9, expected: { maxRounds: 50, siteRuns: 256 } }
    await expect(updateSettings(admin, both)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Somebody changed Maximum rounds of a run meanwhile, so nothing was saved.',
    })
    expect(await readSettings(admin, {})).toEqual({ ...defaultSettings, maxRounds: 60 })
    // Another setting that changed meanwhile is no conflict.
    await updateSettings(admin, { siteRuns: 9, expected: { siteRuns: 256 } })
    const saved = { ...defaultSettings, maxRounds: 60, siteRuns: 9 }
    expect(await readSettings(admin, {})).toEqual(saved)
  })

  test('have default values until an admin changes them; runs follow, and the audit says so', async () => {
    expect(await readSettings(admin, {})).toEqual(defaultSettings)
    expect(await lifetimeOfRuns()).toBe(24 * hour)
    const change = { approvalLifetimeMs: 2 * hour, reason: 'Nobody looks after two hours' }
    expect(await updateSettings(admin, change)).toMatchObject({ approvalLifetimeMs: 2 * hour })
    expect([await readSettings(admin, {}), await lifetimeOfRuns()]).toEqual([
      { ...defaultSettings, approvalLifetimeMs: 2 * hour },
      2 * hour,
    ])
    const entry = await lastAudit()
    expect(entry).toMatchObject({
      objectType: 'setting',
      objectId: 'approvalLifetimeMs',
      before: { approvalLifetimeMs: 24 * hour },
      after: { approvalLifetimeMs: 2 * hour },
      reason: 'Nobody looks after two hours',
      actorId: admin.actor.userId,
    })
    await updateSettings(admin, change)
    await updateSettings(admin, {})
    expect((await lastAudit())?.id).toBe(entry?.id)
  })

  test('are for admins, and within their bounds', async () => {
    await expect(readSettings(member, {})).rejects.toThrow(ForbiddenError)
    await expect(updateSettings(member, { approvalLifetimeMs: hour })).rejects.toThrow(
      ForbiddenError,
    )
    for (const approvalLifetimeMs of [5 * 60_000 - 1, 720 * hour + 1, 300_000.5, Number.NaN]) {
      const refused = updateSettings(admin, { approvalLifetimeMs })
      await expect(refused).rejects.toThrow(ValidationError)
    }
    for (const approvalLifetimeMs of [5 * 60_000, 720 * hour]) {
      const set = await updateSettings(admin, { approvalLifetimeMs })
      expect(set).toMatchObject({ approvalLifetimeMs })
    }
  })

  test('that concern signing in need a confirmation of identity that is fresh', async () => {
    const stale = new Error('Confirm your identity.')
    const ctx: Ctx = {
      ...admin,
      requireProof: () => {
        throw stale
      },
    }
    await updateSettings(ctx, { approvalLifetimeMs: hour })
    for (const change of [{ sessionIdleMs: hour }, { secondFactorFor: 'admins' as const }])
      await expect(updateSettings(ctx, change)).rejects.toBe(stale)
    expect(await readSettings(admin, {})).toEqual({ ...defaultSettings, approvalLifetimeMs: hour })
  })

  test('one that cannot be read lets no call through, and can be corrected', async () => {
    await db().setting.create({ data: { key: 'approvalLifetimeMs', value: 'soon' } })
    await expect(lifetimeOfRuns()).rejects.toThrow()
    expect(await readSettings(admin, {})).toEqual(defaultSettings)
    await updateSettings(admin, { approvalLifetimeMs: hour })
    expect(await lifetimeOfRuns()).toBe(hour)
  })

  test('changes at the same moment are all audited, each with what was there before', async () => {
    const hours = [1, 2, 3, 4, 5, 6]
    await Promise.all(
      hours.map((each) => updateSettings(admin, { approvalLifetimeMs: each * hour })),
    )
    const { approvalLifetimeMs } = await readSettings(admin, {})
    expect((await lastAudit())?.after).toEqual({ approvalLifetimeMs })
  })
})

describe('/api/v1/settings', () => {
  const address = '/api/v1/settings'

  test('shows and changes them', async () => {
    const key = await apiKeyOf(admin, 'settings:read', 'settings:write')
    const json = { approvalLifetimeMs: hour, reason: 'By hand' }
    const changed = await ask(settingsRoute.PATCH, 'PATCH', address, { key, json })
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { settings: { ...defaultSettings, approvalLifetimeMs: hour } },
    ])
    const shown = await ask(settingsRoute.GET, 'GET', address, { key })
    expect(await shown.json()).toEqual({
      settings: { ...defaultSettings, approvalLifetimeMs: hour },
    })
    const wrong = await ask(settingsRoute.PATCH, 'PATCH', address, {
      key,
      json: { approvalLifetimeMs: 1 },
    })
    expect([wrong.status, (await wrong.json()).errors]).toEqual([
      422,
      { approvalLifetimeMs: 'From 5 minutes to 30 days.' },
    ])
    const unknown = await ask(settingsRoute.PATCH, 'PATCH', address, { key, json: { freeze: 1 } })
    expect(unknown.status).toBe(422)
  })

  test('is for admins with the scope', async () => {
    const reader = await apiKeyOf(admin, 'settings:read')
    const stranger = await apiKeyOf(member, 'settings:read', 'settings:write')
    const json = { approvalLifetimeMs: hour }
    const patch = (key: string) => ask(settingsRoute.PATCH, 'PATCH', address, { key, json })
    const statuses = await Promise.all([
      patch(reader),
      patch(stranger),
      ask(settingsRoute.GET, 'GET', address, { key: stranger }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

test('toolgate setting', async () => {
  const as = ['--as', 'ada@example.org']
  const set = await toolgate(['setting', 'set', 'approval-lifetime', '90m', ...as])
  expect(set).toMatchObject({ code: 0, stdout: 'approval-lifetime is 90m.\n' })
  const get = await toolgate(['setting', 'get', 'approval-lifetime', '--json', ...as])
  expect(JSON.parse(get.stdout)).toEqual({ name: 'approval-lifetime', value: '90m' })
  const list = await toolgate(['setting', 'list', ...as])
  expect(list.stdout).toMatch(/approval-lifetime\s+90m\s+how long a call waits for approval/)
  const rounds = await toolgate(['setting', 'set', 'max-rounds', '120', ...as])
  expect(rounds).toMatchObject({ code: 0, stdout: 'max-rounds is 120.\n' })
  for (const text of ['0', '201', 'many', '1.5']) {
    const refused = await toolgate(['setting', 'set', 'max-rounds', text, ...as])
    expect([refused.code === 0, refused.stdout]).toEqual([false, ''])
  }
  const wrong = await toolgate(['setting', 'set', 'approval-lifetime', 'soon', ...as])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('approval-lifetime must be a time such as 30m, 24h or 7d.')
  const factor = await toolgate(['setting', 'set', 'second-factor', 'admins', ...as])
  expect(factor).toMatchObject({ code: 0, stdout: 'second-factor is admins.\n' })
  const unknown = await toolgate(['setting', 'get', 'colour', ...as])
  expect(unknown.stderr).toContain('Available settings: approval-lifetime, ')
  expect((await lastAudit())?.actorLabel).toMatch(/in a terminal/)
})
