import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freezeSite, getFreeze, unfreezeSite } from '@/lib/domains/settings/freeze'
import { freezeKey } from '@/lib/domains/settings/read-freeze'
import { ConflictError, ForbiddenError, ValidationError } from '@/lib/kernel/errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startWorker } from '@/tests/support/start-worker'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

// Another process has to start first.
let server: ModelServer
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterEach(() => unfreezeSite(site.admin, {}))

afterAll(async () => {
  await server.close()
})

const why = { reason: 'A leak' }
const slow = `[[say slowly 100ms: ${'on and '.repeat(200)}on]]`
const talks = ({ type }: RunUpdate) => type === 'text-delta'

describe('the freeze', () => {
  test('says who was first, is lifted by an admin, and both are audited', async () => {
    await expect(freezeSite(site.admin, { reason: ' ' })).rejects.toThrow(ValidationError)
    const { by, at } = await freezeSite(site.admin, why)
    expect(by).toBe(site.admin.actor.email)
    const again = freezeSite(await addPerson('admin'), { reason: 'Me too' })
    await expect(again).rejects.toThrow(ConflictError)
    await expect(again).rejects.toThrow(`${by} froze this site at`)
    expect(await getFreeze(site.admin, {})).toEqual({ by, at, reason: 'A leak' })
    expect(await unfreezeSite(site.admin, { reason: 'Closed' })).toBe(true)
    expect(await unfreezeSite(site.admin, {})).toBe(false)
    const entries = await db().auditEntry.findMany({
      where: { objectType: 'site' },
      orderBy: { at: 'asc' },
    })
    expect(entries).toMatchObject([
      { action: 'site.freeze', after: { by, reason: 'A leak' }, reason: 'A leak' },
      { action: 'site.unfreeze', before: { by, reason: 'A leak' }, reason: 'Closed' },
    ])
  })

  test('is for admins to change and for everybody to see', async () => {
    const member = await addPerson('member')
    await expect(freezeSite(member, why)).rejects.toThrow(ForbiddenError)
    await freezeSite(site.admin, why)
    await expect(unfreezeSite(member, {})).rejects.toThrow(ForbiddenError)
    expect(await getFreeze(member, {})).toMatchObject(why)
  })

  test('is set, shown and lifted in a terminal', async () => {
    const print = async (...args: string[]) =>
      (await toolgate([...args, '--as', site.admin.actor.email])).stdout
    expect(await print('freeze', '--reason', 'A leak')).toBe(
      'Froze this site. No run or tool can start, and active runs were stopped.\n',
    )
    expect(JSON.parse(await print('freeze', 'status', '--json'))).toMatchObject({
      freeze: { reason: 'A leak', by: site.admin.actor.email },
    })
    expect(await print('unfreeze', '--reason', 'Closed')).toBe('Unfroze this site.\n')
    expect(await print('freeze', 'status')).toBe('This site is not frozen.\n')
  })

  test('that cannot be read still freezes, and can be lifted', async () => {
    await db().setting.create({ data: { key: freezeKey, value: { nonsense: true } } })
    expect((await getFreeze(site.admin, {}))?.reason).toContain('cannot be read')
    await expect(start(site, 'hello')).rejects.toThrow()
    expect(await unfreezeSite(site.admin, {})).toBe(true)
  })

  test('is seen, set and lifted over HTTP', async () => {
    const key = await apiKeyOf(site.admin, 'tools:read', 'tools:write')
    const member = await apiKeyOf(await addPerson('member'), 'tools:read', 'tools:write')
    const put = (as: string, json: unknown) => askApi('PUT', '/freeze', { key: as, json })
    const get = async () => (await askApi('GET', '/freeze', { key: member })).json()
    expect((await put(key, {})).status).toBe(422)
    expect((await put(member, why)).status).toBe(403)
    expect(await get()).toEqual({ freeze: null })
    expect((await put(key, why)).status).toBe(200)
    expect((await put(key, why)).status).toBe(409)
    expect(await get()).toMatchObject({ freeze: { ...why, by: site.admin.actor.email } })
    expect((await askApi('DELETE', '/freeze', { key: member })).status).toBe(403)
    const lifted = await askApi('DELETE', '/freeze?reason=done', { key })
    expect(await lifted.json()).toEqual({ freeze: null })
    expect(await get()).toEqual({ freeze: null })
  })
})

describe('runs', () => {
  let worker: ChildProcess
  let engine: Engine | undefined

  afterAll(async () => {
    await engine?.close()
    worker.kill('SIGTERM')
    await once(worker, 'exit')
  })

  test('are refused while it is on, with who, when and why', async () => {
    await freezeSite(site.admin, why)
    const refused = start(site, 'hello')
    await expect(refused).rejects.toThrow(ForbiddenError)
    await expect(refused).rejects.toThrow(
      /^\S+@example\.org froze this site at \d{4}-\d\d-\d\d \d\d:\d\d UTC: A leak\. No run can start/,
    )
  })

  test('that were only queued are ended by whoever takes them', async () => {
    const { runId } = await start(site, slow)
    await freezeSite(site.admin, why)
    worker = await startWorker()
    expect(foldRun(await collect(site.admin, runId)).end?.reason).toBe('frozen')
  })

  test('that were only queued are ended, too, when the freeze was lifted before anybody took them', async () => {
    // No process works on runs now.
    worker.kill('SIGTERM')
    await once(worker, 'exit')
    const { runId } = await start(site, slow)
    await freezeSite(site.admin, why)
    await unfreezeSite(site.admin, {})
    const later = (await start(site, '[[say: later]]')).runId
    worker = await startWorker()
    expect(foldRun(await collect(site.admin, runId))).toMatchObject({
      rounds: [],
      end: { reason: 'frozen', message: expect.stringContaining('A leak') },
    })
    expect(foldRun(await collect(site.admin, later)).end?.reason).toBe('completed')
  })

  test('in flight end within two seconds, in every process', async () => {
    const theirs = (await start(site, slow)).runId
    await collect(site.admin, theirs, { until: talks })
    engine = await startTestEngine(quickTimes)
    const ours = (await start(site, slow)).runId
    const calling = (await start(site, `[[call get_runtime_info {}]] [[then]] ${slow}`)).runId
    for (const runId of [ours, calling]) await collect(site.admin, runId, { until: talks })
    const owners = await db().run.findMany({ where: { id: { in: [theirs, ours] } } })
    expect(new Set(owners.map(({ instanceId }) => instanceId)).size).toBe(2)

    await freezeSite(site.admin, why)
    const frozenAt = Date.now()
    for (const runId of [theirs, ours, calling]) {
      const { end, rounds } = foldRun(await collect(site.admin, runId))
      expect(end).toMatchObject({
        reason: 'frozen',
        message: `This site was frozen by ${site.admin.actor.email}: A leak. Run it again after the site is unfrozen.`,
      })
      expect((end?.at ?? 0) - frozenAt).toBeLessThan(promised(2_000))
      expect(rounds.at(-1)?.text).toMatch(/^on/)
    }
  })

  test('in flight end when the freeze was lifted at once', async () => {
    const { runId } = await start(site, slow)
    await collect(site.admin, runId, { until: talks })
    await freezeSite(site.admin, why)
    await unfreezeSite(site.admin, {})
    expect(foldRun(await collect(site.admin, runId)).end?.reason).toBe('frozen')
  })

  test('are ended by the next heartbeat when its news was lost', async () => {
    const { runId } = await start(site, slow)
    await collect(site.admin, runId, { until: talks })
    // All that a process finds which did not hear of it.
    const value = { ...why, by: 'ada@example.org', at: new Date().toISOString() }
    await db().setting.create({ data: { key: freezeKey, value } })
    const silentAt = Date.now()
    const { end } = foldRun(await collect(site.admin, runId))
    expect(end?.reason).toBe('frozen')
    expect((end?.at ?? 0) - silentAt).toBeLessThan(promised(5_000))
  })
})
