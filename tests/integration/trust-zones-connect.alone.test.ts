import { randomUUID } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { checkTrustZones } from '@/lib/doors/cli/doctor/examine-contents'
import type { Ctx } from '@/lib/kernel/context'
import { findModels } from '@/lib/probes/connect-model'
import { discoverModels } from '@/lib/probes/discover-models'
import { replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { testConnectionDraft } from '@/lib/probes/test-connection-draft'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import type { Engine } from '@/lib/runs/engine/engine'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'

/** Today's answers of a DNS that is not ours. Nothing listens at port 9 of either address. */
const dns = vi.hoisted(() => new Map<string, string>())

type Answer = (error: Error | null, addresses: LookupAddress[]) => void

vi.mock('node:dns', async (original) => {
  const real = await original<typeof import('node:dns')>()
  const lookup = (host: string, options: { all: true }, answer: Answer) => {
    const address = dns.get(host)
    if (address === undefined) real.lookup(host, options, answer)
    else answer(null, [{ address, family: 4 }])
  }
  return { ...real, lookup }
})

vi.mock('node:dns/promises', async (original) => {
  const real = await original<typeof import('node:dns/promises')>()
  const lookup = async (host: string, options: { all: true }) => {
    const address = dns.get(host)
    return address === undefined ? real.lookup(host, options) : [{ address, family: 4 }]
  }
  return { ...real, lookup }
})

const own = '127.0.0.1'
const foreign = '8.8.4.4'

let admin: Ctx
let engine: Engine
beforeAll(async () => {
  admin = await addPerson('admin')
  engine = await startTestEngine(quickTimes)
})
afterAll(() => engine.close())

const facts = (change: Partial<CreateConnection> = {}) => {
  const tag = randomUUID().slice(0, 8)
  const host = `models-${tag}.corp.example`
  dns.set(host, own)
  return {
    host,
    input: {
      name: `Inside ${tag}`,
      wire: 'openai-compatible',
      baseUrl: `http://${host}:9/v1`,
      trustZone: 'local',
      privateAddressAllowed: true,
      apiKey: 'sk-test-0123456789abcdef',
      maxTries: 2,
      ...change,
    } satisfies CreateConnection,
  }
}

const words = /address is public now\. Nothing was sent\. An admin can/
const isRefused = expect.stringMatching(words)

/** Stores a connection whose name leads inside, and then lets the name lead to a foreign address. */
async function moved(change: Partial<CreateConnection> = {}) {
  const { host, input } = facts(change)
  const { id } = await createConnection(admin, input)
  dns.set(host, foreign)
  return { id, host, input }
}

describe('a name that led into one’s own network and leads out of it today', () => {
  test('gets no request of a run, in whatever try', async () => {
    const { id, input } = await moved()
    const model = { connectionId: id, modelId: 'test-model', displayName: 'Test model' }
    const { id: modelId } = await createModel(admin, model)
    const configuration = `inside-${randomUUID().slice(0, 8)}`
    await createConfiguration(admin, { identifier: configuration, name: input.name, modelId })
    const { runId } = await start({ admin, configuration }, 'Hello', {}, engine)
    const updates = await collect(admin, runId, { engine })
    const end = updates.find(({ type }) => type === 'run-end')
    expect(end).toMatchObject({ data: { failure: { category: 'egress', advice: isRefused } } })
    expect(updates.map(({ type }) => type)).not.toContain('model-retry')
  })

  test('gets no key and no question from tests, probes and lists of models', async () => {
    const { id, input } = await moved()
    const egress = { outcome: 'egress', message: isRefused }
    expect(await testConnection(admin, { id })).toMatchObject(egress)
    expect(await testConnectionDraft(admin, input)).toMatchObject(egress)
    const apiKey = 'sk-next-0123456789abcdef'
    const key = { id, apiKey, host: undefined }
    expect(await replaceConnectionKey(admin, key)).toMatchObject({ stored: false, test: egress })
    await expect(discoverModels(admin, { connectionId: id })).rejects.toThrow(words)
    await expect(findModels(admin, { provider: { connectionId: id } })).rejects.toThrow(words)
    const model = { connectionId: id, modelId: 'test-model', displayName: 'Test model' }
    const { id: modelId } = await createModel(admin, model)
    expect(JSON.stringify(await testToolCalling(admin, { id: modelId }))).toMatch(/is public now/)
  })

  test('is named by the doctor, until its host is confirmed or its zone external', async () => {
    const { id, host, input } = await moved()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    try {
      const named = expect.objectContaining({
        status: 'warn',
        detail: `${input.name} is trusted as local, and ${host} is a public address now, so its requests are refused`,
      })
      expect(await checkTrustZones()).toContainEqual(named)
    } finally {
      vi.useRealTimers()
    }
    await updateConnection(admin, { id, confirmZone: host, reason: 'Leased line.' })
    const { outcome } = await testConnection(admin, { id })
    expect(outcome).not.toBe('egress')
    expect(JSON.stringify(await checkTrustZones())).not.toContain(host)
  })

  test('is reached with an external zone, and a draft with the host typed', async () => {
    const { id } = await moved({ trustZone: 'external-eu' })
    expect((await testConnection(admin, { id })).outcome).not.toBe('egress')
    const { host, input } = facts()
    dns.set(host, foreign)
    const draft = { ...input, confirmZone: host }
    expect((await testConnectionDraft(admin, draft)).outcome).not.toBe('egress')
  })
})
