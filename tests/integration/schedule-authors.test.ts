import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { runScheduleNow } from '@/lib/runs/scheduled-runs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { agreeToSchedule } from '../support/agree-to-schedule'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'
import { scheduleSiteOfFile } from '../support/schedule-site'

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
      ...{
        action: 'schedule.switch-off',
        actorLabel: 'system',
        reason: expect.stringContaining(why),
      },
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

test('a schedule of a comparison with a configuration is refused when it is saved', async () => {
  const second = await site.addSite()
  const identifier = `compare-${randomUUID().slice(0, 8)}`
  const panel = {
    ...{ kind: 'confer' as const, configurations: [site.configuration, second.configuration] },
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
