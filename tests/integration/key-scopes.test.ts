import { beforeAll, describe, expect, test } from 'vitest'
import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { programVerbs } from '@/lib/domains/programs/verbs'
import { endpoints } from '@/lib/doors/api/endpoints'
import type { Finding } from '@/lib/doors/cli/doctor/finding'
import { createApiKey, limitApiKey } from '@/lib/joined-verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { ApiScope } from '@/lib/protocol/api-scope'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

// Which scopes a limited key can use, whenever they were given (SPEC A7).

const system = systemCtx()
let admin: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
})

describe('a limited key', () => {
  const idOf = async (token: string) =>
    (await db().apiKey.findFirstOrThrow({ where: { prefix: token.slice(0, 9) } })).id
  const allowed = /^(?!.*:write$)|^(?:runs|approvals|memory):write$/
  const budget = { scope: 'key', window: 'day', unit: 'requests', amount: 5 } as const

  const limiting: [what: string, limit: (id: string) => Promise<unknown>][] = [
    ['to tools', (id) => limitApiKey(admin, { id, tools: ['calculate'] })],
    ['to no group of tools', (id) => limitApiKey(admin, { id, toolGroups: [] })],
    ['to configurations', (id) => limitApiKey(admin, { id, configurations: [] })],
    ['by a budget of its own', (id) => budgetVerbs.create(system, { ...budget, scopeId: id })],
  ]

  test.each(limiting)('%s reaches no address whose scope it may not have', async (_what, limit) => {
    const token = await apiKeyOf(admin, ...ApiScope.options)
    const id = await idOf(token)
    await limit(id)
    let refused = 0
    for (const { method, path: address, scope, moreScopes = [] } of endpoints) {
      if (scope === null) continue
      const named = address.replace(/\{\w+\}/g, 'nothing')
      const response = await askApi(method, named, {
        key: token,
        ...(method !== 'GET' && method !== 'DELETE' && { json: {} }),
      })
      const beyond = [scope, ...moreScopes].find((each) => !allowed.test(each))
      const text = response.status === 403 ? (await response.json()).detail : ''
      const isRefused = text.startsWith(
        `The API key is limited, so it cannot use its scope ${scope}`,
      )
      expect([method, address, isRefused]).toEqual([method, address, beyond !== undefined])
      refused += Number(isRefused)
    }
    expect(refused).toBeGreaterThan(70)
    const listed = (await listApiKeys(admin)).find((each) => each.id === id)
    expect(listed?.unusableScopes).toEqual(ApiScope.options.filter((scope) => !allowed.test(scope)))
  })

  test('does not raise its own budget, and gets its scopes back with the end of it', async () => {
    const token = await apiKeyOf(admin, 'budgets:write', 'budgets:read')
    const { id } = await budgetVerbs.create(system, { ...budget, scopeId: await idOf(token) })
    const raise = () =>
      askApi('PATCH', `/budgets/${id}`, { key: token, json: { amount: 1_000_000 } })
    const refused = await raise()
    expect(refused.status).toBe(403)
    expect((await refused.json()).detail).toContain('its scope budgets:write')
    expect((await db().budget.findUniqueOrThrow({ where: { id } })).amount).toBe(5n)
    await budgetVerbs.update(system, { id, enabled: false })
    expect((await raise()).status).toBe(200)
  })

  test('is never given a sensitive scope, and one without limits is, which the audit names', async () => {
    const scopes: ApiScope[] = ['runs:write', 'programs:write']
    const wide = { name: 'CI', scopes, tools: ['calculate'] }
    await expect(createApiKey(admin, wide)).rejects.toMatchObject({
      fields: { scopes: expect.stringContaining('cannot have the scopes programs:write') },
    })
    const { id } = await createApiKey(admin, { name: 'CI', scopes })
    const entry = await db().auditEntry.findFirstOrThrow({ where: { objectId: id } })
    expect(entry.after).toMatchObject({ scopes, sensitiveScopes: ['programs:write'] })
    const requireProof = () => {
      throw new Error('late')
    }
    await expect(createApiKey({ ...admin, requireProof }, { name: 'CI', scopes })).rejects.toThrow(
      'late',
    )
  })
})

test('the doctor names programs that a key may have accepted, until a person accepts them on the console, and what keys cannot use', async () => {
  const author = await addPerson('admin')
  const token = await apiKeyOf(author, 'programs:write', 'runs:read')
  const checks = async () => {
    const { stdout } = await toolgate(['doctor', '--json'])
    const { findings }: { findings: Finding[] } = JSON.parse(stdout)
    return (name: string) => findings.filter(({ check }) => check === name)
  }
  // As an older version let the key do it.
  const accepted = 'The attacker needs no sandbox.'
  await programVerbs.create(author, { name: 'list', path: '/bin/ls', accepted })
  expect((await checks())('Program list')).toEqual([])
  expect((await askApi('GET', '/runs', { key: token })).status).toBe(200)
  const { prefix, id } = await db().apiKey.findFirstOrThrow({
    where: { prefix: token.slice(0, 9) },
  })
  expect((await checks())('Program list')).toMatchObject([
    {
      status: 'warn',
      detail: expect.stringContaining(`by the API key ${prefix}… of ${author.actor.email}`),
      advice: expect.stringContaining('toolgate program edit list --no-accepted'),
    },
  ])
  const { id: programId } = await db().program.findFirstOrThrow({ where: { name: 'list' } })
  const words = 'This server is used for nothing else.'
  await programVerbs.update(await addPerson('admin'), { id: programId, accepted: words })
  expect((await checks())('Program list')).toEqual([])

  await limitApiKey(admin, { id, tools: ['calculate'] })
  expect((await checks())('API key test')).toContainEqual(
    expect.objectContaining({
      status: 'warn',
      detail: `${prefix}… cannot use programs:write, because it is limited or has a budget`,
    }),
  )
})
