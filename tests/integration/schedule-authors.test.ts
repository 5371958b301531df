import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { runScheduleNow } from '@/lib/runs/start/scheduled-runs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { agreeToSchedule } from '@/tests/support/agree-to-schedule'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { scheduleSiteOfFile } from '@/tests/support/schedule-site'
import { suspendPerson } from '@/tests/support/suspend-person'

const site = scheduleSiteOfFile()
const { add, refusalOf, blockedOf } = site

test('it stops when its author is no admin any more, until another admin takes it over', async () => {
  for (const [change, why] of [
    [{ role: 'member' as const }, 'is no longer an admin'],
    [{ disabled: true }, 'is disabled'],
  ] as const) {
    const left = await addPerson('admin')
    const id = await add({}, left)
    await agreeToSchedule(site.admin, id)
    expect(await refusalOf(id)).toBe('')
    await updateUser(site.admin, { userId: left.actor.userId, ...change, reason: 'moved' })
    expect(await blockedOf(id)).toMatchObject({
      why: 'author',
      reason: expect.stringContaining(why),
    })
    await expect(runScheduleNow(site.author, { id })).rejects.toThrow(why)
    expect(await refusalOf(id)).toContain(why)
    expect((await scheduleVerbs.read(site.author, { id })).enabled).toBe(false)
    const last = await db().auditEntry.findFirst({
      where: { objectId: id },
      orderBy: { at: 'desc' },
    })
    expect(last).toMatchObject({
      action: 'schedule.switch-off',
      actorLabel: 'system',
      reason: expect.stringContaining(why),
    })
    await scheduleVerbs.update(site.author, { id, enabled: true })
    expect(await refusalOf(id)).toBe('')
  }
  const own = await addPerson('admin')
  const id = await add({ userId: own.actor.userId }, own)
  expect(await refusalOf(id)).toBe('')
  await updateUser(site.admin, { userId: own.actor.userId, role: 'member', reason: 'moved' })
  expect(await refusalOf(id)).toContain('is no longer an admin')
})

test('it waits while its author or its person is suspended, and goes on afterwards', async () => {
  const [author, person] = [await addPerson('admin'), await addPerson('admin')]
  for (const [suspended, userId] of [
    [author, site.admin.actor.userId],
    [person, person.actor.userId],
  ] as const) {
    const writer = suspended === author ? author : person
    const id = await add({ userId }, writer)
    if (suspended === author) await agreeToSchedule(site.admin, id)
    expect(await refusalOf(id)).toBe('')
    const enter = await suspendPerson(suspended)
    const reason = expect.stringMatching(/ is suspended, so .*\(claim "groups"\)/)
    expect(await blockedOf(id)).toEqual({ why: 'suspended', reason })
    expect(await refusalOf(id)).toEqual(reason)
    await expect(runScheduleNow(site.author, { id })).rejects.toThrow('is suspended')
    // A change by somebody else takes it from nobody who may come back.
    await scheduleVerbs.update(site.author, { id, name: `Later ${randomUUID()}` })
    expect(await blockedOf(id)).toMatchObject({ why: 'suspended' })
    expect((await scheduleVerbs.read(site.author, { id })).enabled).toBe(true)
    expect(await enter(['ops'])).toMatchObject({ type: 'signed-in' })
    expect(await blockedOf(id)).not.toMatchObject({ why: 'suspended' })
  }
})

test('a schedule of a comparison with a configuration is refused when it is saved', async () => {
  const second = await site.addSite()
  const identifier = `compare-${randomUUID().slice(0, 8)}`
  const panel = {
    kind: 'confer' as const,
    configurations: [site.configuration, second.configuration],
  }
  const form = { identifier, name: 'Compare', prompt: 'Say hello.', panel }
  const { id: taskId } = await taskVerbs.create(site.author, form)
  await expect(add({ taskId, prompt: '' })).rejects.toMatchObject({
    fields: { configurationId: expect.stringContaining('Leave this out.') },
  })
  const id = await add({ taskId, prompt: '', configurationId: null })
  await expect(
    scheduleVerbs.update(site.author, { id, configurationId: site.configurationId }),
  ).rejects.toMatchObject({
    fields: { configurationId: expect.stringContaining('Leave this out.') },
  })
})
