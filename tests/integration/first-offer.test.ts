import { expect, test } from 'vitest'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { addPerson } from '@/tests/support/people'

test('a model that trusts nobody with more than content is offered what returns no more, by whoever runs it', async () => {
  const admin = await addPerson('admin')
  const { id: connectionId } = await createConnection(admin, {
    name: 'Far away',
    wire: 'openai',
    trustZone: 'external-global',
    apiKey: 'sk-test-0123456789abcdef',
  })
  const model = { modelId: 'far', displayName: 'Far', contextTokens: 100_000 }
  const { id: modelId } = await createModel(admin, {
    ...model,
    connectionId,
    maxOutputTokens: 4_000,
  })
  const { id: configuration } = await createConfiguration(admin, {
    identifier: 'far',
    name: 'Far',
    modelId,
    maxRounds: 5,
  })
  const offered = async (userId: string) => {
    const explained = await explainTools(admin, { userId, configuration, selected: null })
    return explained.flatMap(({ name, verdict }) => (verdict.allowed ? [name] : [])).sort()
  }
  const member = await addPerson('member')
  const { userId } = member.actor
  const group = await groupVerbs.create(admin, { name: 'Readers' })
  await addGroupMember(admin, { groupId: group.id, userId })
  await allowGroup(admin, { configurationId: configuration, groupId: group.id, allowed: true })
  const first = ['calculate', 'current_time', 'memory_read', 'verify']
  expect(await offered(admin.actor.userId)).toEqual(first)
  expect(await offered(userId)).toEqual(first)

  await hostVerbs.create(admin, { name: 'https://example.org' })
  expect(await offered(userId)).toEqual([...first, 'fetch_url'].sort())

  const address = 'https://93.184.216.34'
  await searchEndpointVerbs.create(admin, { name: 'Ours', kind: 'searxng', address })
  expect(await offered(userId)).toEqual([...first, 'fetch_url', 'web_search'].sort())

  await siteVerbs.create(admin, { name: 'docs', address })
  const ofSites = ['get_page_content', 'get_page_tree']
  expect(await offered(userId)).toEqual([...first, 'fetch_url', 'web_search', ...ofSites].sort())
})
