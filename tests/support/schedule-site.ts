import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { startScheduledRun } from '@/lib/runs/start/scheduled-runs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { db } from './fixture-db'
import { turnOfPrompt } from './model-server/prompt-directives'
import { type ModelServer, startModelServer } from './model-server/start-model-server'
import { addPerson } from './people'
import { addRunSite, type RunSite } from './run-site'

/**
 * Opens a site for the tests of a file, whose `author` adds and changes schedules that run as its admin. No engine works on the runs.
 */
export function scheduleSiteOfFile() {
  let server: ModelServer
  let minutes = 0
  const site = {} as RunSite & { author: Ctx; configurationId: string }

  beforeAll(async () => {
    server = await startModelServer({ script: turnOfPrompt })
    Object.assign(site, await addRunSite(server.url), { author: await addPerson('admin') })
    const where = { identifier: site.configuration }
    site.configurationId = (await db().configuration.findUniqueOrThrow({ where })).id
  })
  afterAll(() => server.close())

  return Object.assign(site, {
    addSite: () => addRunSite(server.url),
    add: async (more: object = {}, by = site.author): Promise<string> => {
      const { configurationId, admin } = site
      const form = { name: randomUUID(), cron: '* * * * *', prompt: 'Say hello.', configurationId }
      const input = { ...form, userId: admin.actor.userId, ...more }
      return (await scheduleVerbs.create(by, input)).id
    },
    /** Handles a time of a schedule that nothing handled yet. Returns why nothing began; "" = a run did. */
    refusalOf: async (scheduleId: string): Promise<string> => {
      const at = new Date((Math.floor(Date.now() / 60_000) + ++minutes) * 60_000)
      await startScheduledRun(scheduleId, at)
      const key = { scheduleId_at: { scheduleId, at } }
      const start = await db().scheduledStart.findUniqueOrThrow({ where: key })
      const began = start.runId !== null || start.panelId !== null
      expect(began).toBe(start.refusal === '')
      return start.refusal
    },
    blockedOf: async (id: string) => (await scheduleVerbs.read(site.author, { id })).blocked,
  })
}
