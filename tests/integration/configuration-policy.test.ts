import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createConfiguration } from '@/lib/configurations/create-configuration'
import { listConfigurations } from '@/lib/configurations/list-configurations'
import { readGovernedConfiguration } from '@/lib/configurations/read-governed-configuration'
import { updateConfigurationPolicy } from '@/lib/configurations/update-configuration-policy'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { ForbiddenError, NotFoundError, ValidationError } from '@/lib/errors'
import { explainTools } from '@/lib/toolset/explain-tools'
import { governConfiguration } from '@/lib/toolset/govern-configuration'
import { addLocalModel } from '../support/add-local-model'
import { addPerson } from '../support/people'
import { toolgate } from '../support/toolgate-process'

vi.setConfig({ testTimeout: 90_000 })

let admin: Ctx
let id: string

beforeAll(async () => {
  admin = await addPerson('admin')
})

beforeEach(async () => {
  await db().configuration.deleteMany()
  await db().auditEntry.deleteMany()
  const connectionName = `Far ${Math.random()}`
  const url = 'http://127.0.0.1:9'
  const modelId = await addLocalModel(admin, { wire: 'openai', connectionName, url })
  await db().connection.updateMany({
    where: { name: connectionName },
    data: { trustZone: 'external_global' },
  })
  id = (await createConfiguration(admin, { identifier: 'far', name: 'Far', modelId })).id
})

async function gateOf(name: string): Promise<string> {
  const asked = { userId: null, configuration: id, selected: null }
  const verdict = (await explainTools(admin, asked)).find((tool) => tool.name === name)?.verdict
  return verdict?.allowed === false ? verdict.gate : 'allowed'
}

test('tool groups and the data class decide what is offered; what changed is audited', async () => {
  expect(await gateOf('get_runtime_info')).toBe('trust-zone')
  const raise = { raisedDataClass: 'secret-adjacent' as const }
  await expect(governConfiguration(admin, id, raise)).rejects.toThrow(ValidationError)
  expect(await governConfiguration(admin, id, { ...raise, reason: 'Contract' })).toBe(true)
  expect(await governConfiguration(admin, id, { ...raise, reason: 'Again' })).toBe(false)
  expect(await gateOf('get_runtime_info')).toBe('allowed')

  const accounts = { allowedToolGroups: ['accounts', 'accounts'] }
  await governConfiguration(admin, id, { ...accounts, fourEyes: true })
  expect(await gateOf('get_runtime_info')).toBe('configuration')
  expect(await gateOf('list_users')).toBe('allowed')
  const misspelt = governConfiguration(admin, id, { allowedToolGroups: ['acounts'] })
  await expect(misspelt).rejects.toThrow('There is no tool group "acounts".')
  await governConfiguration(admin, id, { allowedToolGroups: null, raisedDataClass: null })
  expect(await gateOf('get_runtime_info')).toBe('trust-zone')

  const entries = await db().auditEntry.findMany({
    where: { action: 'configuration.update-policy' },
    orderBy: { at: 'asc' },
  })
  expect(entries).toMatchObject([
    { before: { raisedDataClass: null }, after: raise, reason: 'Contract', objectId: id },
    { before: { fourEyes: false, allowedToolGroups: null }, after: { fourEyes: true } },
    { before: { allowedToolGroups: ['accounts'] }, after: { allowedToolGroups: null } },
  ])
  expect(entries[1]?.after).not.toHaveProperty('raisedDataClass')
})

test('one that is switched off, with a reason, is nobody’s to pick', async () => {
  await expect(updateConfigurationPolicy(admin, id, { enabled: false })).rejects.toThrow(
    ValidationError,
  )
  await updateConfigurationPolicy(admin, id, { enabled: false, reason: 'Too dear' })
  expect(await listConfigurations(admin)).toEqual([])
  expect((await readGovernedConfiguration(admin, id)).enabled).toBe(false)
  expect(await gateOf('list_users')).toBe('configuration')
})

test('four eyes are switched on freely and off with a reason', async () => {
  await updateConfigurationPolicy(admin, id, { fourEyes: true })
  await expect(updateConfigurationPolicy(admin, id, { fourEyes: false })).rejects.toThrow(
    ValidationError,
  )
  expect((await readGovernedConfiguration(admin, id)).fourEyes).toBe(true)
  await updateConfigurationPolicy(admin, id, { fourEyes: false, reason: 'Alone on duty' })
  expect((await readGovernedConfiguration(admin, id)).fourEyes).toBe(false)
  const entry = await db().auditEntry.findFirst({ orderBy: { id: 'desc' } })
  expect(entry).toMatchObject({ before: { fourEyes: true }, reason: 'Alone on duty' })
})

test('is for admins, and for configurations that are there', async () => {
  const member = await addPerson('member')
  for (const refused of [
    updateConfigurationPolicy(member, id, {}),
    governConfiguration(member, id, {}),
    readGovernedConfiguration(member, id),
  ]) {
    await expect(refused).rejects.toThrow(ForbiddenError)
  }
  const nowhere = updateConfigurationPolicy(admin, '019a0000-0000-7000-8000-000000000001', {})
  await expect(nowhere).rejects.toThrow(NotFoundError)
})

test('the command line changes and shows the same', async () => {
  const args = ['--tool-groups', 'system', '--data-class', 'diagnostics', '--reason', 'Contract']
  const named = ['--configuration', 'far', '--json']
  const governed = await toolgate(['configuration', 'govern', ...named, ...args])
  expect(JSON.parse(governed.stdout)).toMatchObject({
    allowedToolGroups: ['system'],
    trustZone: 'external-global',
    dataLimitOfZone: 'content',
    dataLimit: 'diagnostics',
    enabled: true,
  })
  const shown = await toolgate(['configuration', 'show', ...named])
  expect(shown).toEqual(governed)
})
