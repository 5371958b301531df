import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { messageLimits } from '@/lib/domains/channels/shared/run-messages'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { database } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes, every } from '@/lib/runs/engine/start-engine'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { removeChannels } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { startMessageReceiver } from '@/tests/support/message-receiver'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { endWorkers, startWorker, stopped } from '@/tests/support/start-worker'
import { quickTimes } from '@/tests/support/test-engine'

const open: Engine[] = []
let model: ModelServer
let site: RunSite
let receiver: Awaited<ReturnType<typeof startMessageReceiver>>

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  receiver = await startMessageReceiver()
  await switchTool(site.admin, { name: 'send_message', enabled: true, reason: 'a test' })
  await needsNoApproval('send_message')
})
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
  await endWorkers()
  await removeChannels()
  receiver.received.length = 0
})
afterAll(async () => {
  await model.close()
  await receiver.close()
})

async function addChannel() {
  const name = `Chat ${randomUUID()}`
  const { id } = await channelVerbs.create(site.admin, {
    name,
    kind: 'slack',
    address: receiver.origin,
    privateAddressAllowed: true,
    runMessages: true,
  })
  return { id, name }
}

const calls = (channel: string, count: number) =>
  Array.from({ length: count }, (_, place) => {
    return `[[call send_message ${JSON.stringify({ channel, text: `Message ${place}` })}]]`
  }).join(' ')

async function openOn(host: string): Promise<Engine> {
  const times = { ...engineTimes, ...quickTimes }
  const engine = await openEngine({ kind: 'server', database: database(), times, host, every })
  open.push(engine)
  return engine
}

test('runs of two servers together send so many messages a minute through a channel, and no more', async () => {
  const { id: channelId, name } = await addChannel()
  const engines = [await openOn('one'), await openOn('two')]
  const [first] = engines
  const { runId } = await start(site, '[[say: before]]', {}, first)
  await collect(site.admin, runId, { engine: first })
  const free = 5
  const attemptedAt = new Date()
  await db().runMessage.createMany({
    data: Array.from({ length: messageLimits.ofChannelAMinute - free }, (_, place) => ({
      runId,
      callId: `before-${place}`,
      channelId,
      sentByLabel: 'a@example.org',
      attempts: 1,
      attemptedAt,
    })),
  })
  const ended = await Promise.all(
    engines.map(async (engine) => {
      const started = await start(site, `${calls(name, 8)} [[then]] [[say: done]]`, {}, engine)
      const { rounds } = foldRun(await collect(site.admin, started.runId, { engine }))
      return (rounds[0]?.calls ?? []).map(({ state }) => state.type === 'ended' && state.outcome)
    }),
  )
  const outcomes = ended.flat()
  expect(outcomes.filter((each) => each && each.type === 'ok')).toHaveLength(free)
  const refused = outcomes.filter((each) => each && each.type === 'failed')
  expect(refused).toMatchObject(Array.from({ length: 11 }, () => ({ code: 'channel-full' })))
  expect(receiver.received).toHaveLength(free)
  const older = new Date(Date.now() - 61_000)
  await db().runMessage.updateMany({ where: { channelId }, data: { attemptedAt: older } })
  const later = await start(site, `${calls(name, 1)} [[then]] [[say: done]]`, {}, first)
  await collect(site.admin, later.runId, { engine: first })
  expect(receiver.received).toHaveLength(free + 1)
})

test('a message whose server is killed while it is sent has an unknown outcome, and is not sent again', async () => {
  const { id, name } = await addChannel()
  receiver.answers.push('hang')
  const dying = await startWorker()
  const { runId } = await start(site, `${calls(name, 1)} [[then]] [[say: done]]`)
  await expect.poll(() => receiver.received.length).toBe(1)
  await stopped(dying)
  await startWorker()
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'unknown' } })
  expect(receiver.received).toHaveLength(1)
  expect((await channelVerbs.read(site.admin, { id })).messages).toMatchObject([
    { runId, attempts: 1, deliveredAt: null, isUncertain: true },
  ])
})
