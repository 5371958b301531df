import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startMovedRuns } from '@/lib/runs/start/scheduled-runs'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, type RunSite } from '@/tests/support/run-site'

let server: ModelServer
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterAll(() => server.close())

async function add(cron: string): Promise<string> {
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const input = { name: randomUUID(), cron, timeZone: 'Europe/Berlin', prompt: 'Say hello.' }
  return (await scheduleVerbs.create(site.admin, { ...input, configurationId })).id
}

const startsOf = (scheduleId: string) =>
  db().scheduledStart.findMany({ where: { scheduleId }, include: { run: true } })

test('a time that the change to summer time leaves out starts its run right after the change', async () => {
  const [moved, other] = [await add('30 2 * * *'), await add('30 3 * * *')]
  const at = new Date('2027-03-28T01:00:00Z')
  vi.useFakeTimers({ toFake: ['Date'], now: at.getTime() + 10_000 })
  try {
    for (let handled = 0; handled < 2; handled += 1) await startMovedRuns(at)
    await startMovedRuns(new Date('2027-03-28T00:45:00Z'))
  } finally {
    vi.useRealTimers()
  }
  expect(await startsOf(moved)).toMatchObject([{ at, refusal: '', run: { source: 'schedule' } }])
  expect(await startsOf(other)).toEqual([])
})
