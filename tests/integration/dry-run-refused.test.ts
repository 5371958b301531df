import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { dryRun } from '@/lib/runs/dry-run/dry-run'
import { explainTools, toVerdictLines } from '@/lib/toolset/policy/explain-tools'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import {
  changeConnection,
  dry,
  dryRunsOfFile,
  idOf,
  leavingAll,
  upload,
  type Wishes,
} from '@/tests/support/dry-run-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite, type RunSite, start } from '@/tests/support/run-site'

const server = dryRunsOfFile()

describe('what refuses the start is said in its words, and audited nowhere', () => {
  async function expectRefusedAlike(site: RunSite, prompt: string, wishes: Wishes = {}) {
    const dried = await leavingAll(server, () => dry(site, prompt, wishes))
    const error = await start(site, prompt, wishes).then(
      () => new Error('The run was started.'),
      (thrown: Error & { code?: string }) => thrown,
    )
    expect(dried.refusal).toMatchObject({ message: error.message, code: Object(error).code })
    expect(dried).toMatchObject({ request: null, models: [], tools: [] })
    return dried.refusal
  }

  test('a frozen site', async () => {
    const site = await addRunSite(server.url)
    await freezeSite(site.admin, { reason: 'A leak' })
    const refusal = await expectRefusedAlike(site, 'Hello.')
    expect(refusal?.code).toBe('forbidden')
    await unfreezeSite(site.admin, {})
  })

  test('a configuration that the person may not use', async () => {
    const { configuration } = await addRunSite(server.url)
    const member: Ctx = await addPerson('member')
    const refusal = await expectRefusedAlike({ admin: member, configuration }, 'Hello.')
    expect(refusal?.code).toBe('not-found')
  })

  test('a connection that is switched off', async () => {
    const site = await addRunSite(server.url)
    await changeConnection(site, { enabled: false })
    await expectRefusedAlike(site, 'Hello.')
  })

  test('a file that the model may not get', async () => {
    const site = await addRunSite(server.url)
    await changeConnection(site, { trustZone: 'external_global' })
    const files = await upload(site, 'plan.txt', 'Secret.', 'diagnostics')
    const refusal = await expectRefusedAlike(site, 'Hello.', { files })
    expect(refusal?.fields.files).toContain('plan.txt')
  })
})

test('the gates answer for each tool as they do to explain', async () => {
  const site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'calculate', enabled: false, reason: 'a test' })
  const dried = await leavingAll(server, () => dry(site, 'Hello.'))
  const question = { userId: null, configuration: site.configuration, selected: null }
  expect(dried.tools).toEqual(toVerdictLines(await explainTools(site.admin, question)))
  expect(dried.tools.find(({ name }) => name === 'calculate')).toMatchObject({
    allowed: false,
    gate: 'enabled',
  })
  await switchTool(site.admin, { name: 'calculate', enabled: true, reason: '' })
})

test('a key needs the scopes of starting and reading runs and of reading tools, and a limited one its configuration', async () => {
  const site = await addRunSite(server.url)
  const json = { configuration: site.configuration, prompt: 'Hello.' }
  const as = (key: string) => askApi('POST', '/runs/dry-run', { key, json })
  const scopes = ['runs:write', 'runs:read', 'tools:read'] as const
  const answer = await as(await apiKeyOf(site.admin, ...scopes))
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ refusal: null, models: [{ isUsed: true }] })
  for (const missing of scopes) {
    const others = scopes.filter((scope) => scope !== missing)
    const refused = await as(await apiKeyOf(site.admin, ...others))
    expect(refused.status, missing).toBe(403)
  }
  const other = await addRunSite(server.url)
  const { token } = await createApiKey(site.admin, {
    name: 'limited',
    scopes: [...scopes],
    configurations: [other.configuration],
  })
  const limited = await as(token)
  expect(limited.status).toBe(200)
  expect(await limited.json()).toMatchObject({ refusal: { code: 'forbidden' }, request: null })
})

test('a member does not see the address', async () => {
  const site = await addRunSite(server.url)
  const member = await addPerson('member')
  const group = await groupVerbs.create(site.admin, { name: randomUUID() })
  await addGroupMember(site.admin, { groupId: group.id, userId: member.actor.userId })
  await db().configurationGroup.create({
    data: { configurationId: await idOf(site), groupId: group.id },
  })
  const own = await dryRun(member, { configuration: site.configuration, prompt: 'Hello.' })
  expect(own.request?.curl).toContain('"$ADDRESS"\'/')
  expect(JSON.stringify(own)).not.toContain(new URL(server.url).host)
})
