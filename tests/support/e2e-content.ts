import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { Wire } from '@/lib/domains/rows/column-names'
import { createUser } from '@/lib/domains/users/verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import type { ApiScope } from '@/lib/protocol/api-scope'
import type { Role } from '@/lib/protocol/tool'
import { accounts, hostileName } from '../e2e/support/site'
import { addLocalModel } from './add-local-model'
import { apiKeyOf } from './api-client'
import { db } from './fixture-db'

const wires: Wire[] = ['openai', 'anthropic', 'ollama', 'openai-compatible']

const everyScope: ApiScope[] = ['runs:read', 'runs:write', 'tools:read', 'tools:write']

/** Adds people, keys, and a configuration for each wire whose model is served at `modelUrl`. */
export async function addE2eContent(modelUrl: string) {
  const admin = await addPerson('admin', accounts.admin, 'Ada Admin')
  const member = await addPerson('member', accounts.member, hostileName)
  await addPerson('member', accounts.forgetful, 'Fay Forgetful')
  await addPerson('member', accounts.throttled, 'Theo Throttled')
  await addPerson('member', accounts.keyholder, 'Kim Keyholder')
  // With a storage, read_asset_meta is available.
  await db().storage.create({ data: { name: 'Media' } })
  const group = await db().group.create({
    data: { name: 'Readers', members: { create: { userId: member.actor.userId } } },
  })
  for (const wire of wires) {
    const groupIds = wire === 'openai-compatible' ? [group.id] : []
    const modelId = await addLocalModel(admin, {
      wire,
      connectionName: `Local ${wire}`,
      url: modelUrl,
    })
    await createConfiguration(admin, {
      identifier: `local-${wire}`,
      name: `Local ${wire}`,
      modelId,
      groupIds,
    })
    if (wire === 'openai-compatible') {
      // Skills are added to this one alone, by the tests of skills.
      await createConfiguration(admin, { identifier: 'guided', name: 'Guided', modelId })
      // Switched off and on by the tests of first steps alone.
      await createConfiguration(admin, { identifier: 'switched', name: 'Switched', modelId })
    }
    if (wire === 'openai') {
      await createConfiguration(admin, { identifier: 'hostile', name: hostileName, modelId })
    }
  }
  // Its money is the subject of the tests of money alone.
  const unpricedId = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: 'Local unpriced',
    url: modelUrl,
    unpriced: true,
  })
  await createConfiguration(admin, {
    identifier: 'counted',
    name: 'Counted',
    modelId: unpricedId,
  })
  return {
    admin: await apiKeyOf(admin, ...everyScope),
    member: await apiKeyOf(member, ...everyScope),
    readOnly: await apiKeyOf(admin, 'runs:read'),
  }
}

async function addPerson(
  role: Role,
  { email, password }: { email: string; password: string },
  name: string,
): Promise<Ctx> {
  const { userId } = await createUser(systemCtx(), { email, password, name, role })
  return { actor: { userId, email, role }, via: 'console', ipAddress: null }
}
