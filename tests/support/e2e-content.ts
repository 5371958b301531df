import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import type { Wire } from '@/lib/domains/rows/column-names'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { findSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { createUser } from '@/lib/domains/users/verbs'
import { readDefinitions } from '@/lib/engines/mcp/definition'
import { approvalRuleVerbs, policyCaseVerbs } from '@/lib/joined-verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import type { ApiScope } from '@/lib/protocol/api-scope'
import type { PanelStart } from '@/lib/protocol/panel/panel-start'
import type { Role } from '@/lib/protocol/tool'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { acceptTools } from '@/lib/toolset/servers/accept-tools'
import { reviewTools } from '@/lib/toolset/servers/review'
import { storeFound } from '@/lib/toolset/servers/store-found'
import { accounts, hostileName } from '@/tests/e2e/support/site'
import { addLocalModel } from './add-local-model'
import { apiKeyOf } from './api-client'
import { addWideResources } from './e2e-resources'
import { db } from './fixture-db'
import { needsNoApproval } from './needs-no-approval'

const wires: Wire[] = ['openai', 'anthropic', 'ollama', 'openai-compatible']

const everyScope: ApiScope[] = [
  'runs:read',
  'runs:write',
  'tools:read',
  'tools:write',
  'data-sources:write',
  'channels:write',
]

/** Adds people, a key, and a configuration for each wire whose model is served at `modelUrl`. */
export async function addE2eContent(modelUrl: string) {
  const admin = await addPerson('admin', accounts.admin, 'Ada Admin')
  const member = await addPerson('member', accounts.member, hostileName)
  await addPerson('member', accounts.forgetful, 'Fay Forgetful')
  await addPerson('member', accounts.throttled, 'Theo Throttled')
  await addPerson('member', accounts.keyholder, 'Kim Keyholder')
  await addPerson('member', accounts.keyholderAgain, 'Kit Keyholder')
  await needsNoApproval('append_line')
  // With a storage, the tools for assets are available.
  await storageVerbs.create(admin, { name: 'Media' })
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
    const { id: configurationId } = await createConfiguration(admin, {
      identifier: `local-${wire}`,
      name: `Local ${wire}`,
      modelId,
      groupIds,
    })
    if (wire === 'openai-compatible') {
      await addReadersTask(admin, configurationId)
      // Skills are added to this one alone, by the tests of skills.
      await createConfiguration(admin, { identifier: 'guided', name: 'Guided', modelId })
      await createConfiguration(admin, {
        identifier: 'adjustable',
        name: 'Adjustable',
        modelId,
        groupIds,
        systemPrompt: 'Be brief.',
        allowedOverrides: ['system-prompt', 'temperature'],
      })
    }
    if (wire === 'openai') {
      await createConfiguration(admin, { identifier: 'hostile', name: hostileName, modelId })
      // As versions stored it that did not clean names.
      await db().configuration.update({
        where: { identifier: 'hostile' },
        data: { name: hostileName },
      })
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
  await addNotes(admin.actor.userId)
  const adminKey = await apiKeyOf(admin, ...everyScope)
  return { adminKey, wide: await addWideContent(admin, modelUrl) }
}

/** Adds a note with a hostile text and one with a long word, so that the pages of notes show them. */
async function addNotes(userId: string): Promise<void> {
  const { id: configurationId } = await db().configuration.findUniqueOrThrow({
    where: { identifier: 'hostile' },
  })
  const notes = [hostileName, word].map((text) => ({ text, textHash: text }))
  await db().memoryNote.createMany({
    data: notes.map((note) => ({ ...note, userId, configurationId })),
  })
}

// Wider than any window; what is longer is only slower to lay out.
const word = 'W'.repeat(250)

/** Adds a task that the member may run, because its configuration is one of theirs. */
async function addReadersTask(admin: Ctx, configurationId: string): Promise<void> {
  await taskVerbs.create(admin, {
    identifier: 'readers-report',
    name: 'Report for readers',
    configurationId,
    description: 'Says what happened to a subject.',
    prompt: 'Report on {{subject}}. [[say: Done.]]',
    variables: [{ name: 'subject', label: 'Subject' }],
  })
}

/** Adds one of everything that has a page, with one long word for each text. Returns the addresses of those pages. */
async function addWideContent(admin: Ctx, url: string): Promise<string[]> {
  const name = word.slice(0, 100)
  const texts = { name, description: word }
  const { userId } = (await addPerson('member', accounts.wide, name)).actor
  const group = await groupVerbs.create(admin, texts)
  await addGroupMember(admin, { groupId: group.id, userId })
  const modelId = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: name,
    url,
    modelId: word.slice(0, 200),
    displayName: name,
  })
  const { connectionId } = await db().model.findUniqueOrThrow({ where: { id: modelId } })
  const { id: configurationId } = await createConfiguration(admin, {
    identifier: 'wide',
    ...texts,
    systemPrompt: word,
    modelId,
    groupIds: [group.id],
  })
  const variables = [{ name: 'value', label: name, type: 'text', required: true }] as const
  const task = await taskVerbs.create(admin, {
    identifier: 'wide',
    ...texts,
    configurationId,
    prompt: `${word} {{value}}`,
    variables: [...variables],
  })
  const skill = 'w'.repeat(60)
  const text = `---\nname: ${skill}\ndescription: ${word}\n---\n${word}`
  const files = await readSkillFiles(Buffer.from(text))
  await importSkills(admin, { source: 'paste', files, confirmed: null })
  const budget = { scope: 'group', scopeId: group.id, window: 'day' } as const
  const limit = await budgetVerbs.create(admin, { ...budget, unit: 'requests', amount: 9 })
  return [
    `/users/${admin.actor.userId}`,
    `/users/${userId}`,
    `/groups/${group.id}`,
    `/connections/${connectionId}`,
    `/models/${modelId}`,
    `/configurations/${configurationId}`,
    `/configurations/${configurationId}/edit`,
    `/configurations/${configurationId}/history`,
    `/models/${modelId}/edit`,
    `/budgets/${limit.id}`,
    `/schedules/${await addWideSchedule(admin, configurationId)}`,
    `/channels/${await addWideChannel(admin)}`,
    `/approvals/rules/${await addWideRule(admin)}`,
    `/tools/policy-cases/${await addWideCase(admin, configurationId)}`,
    `/tasks/${task.id}`,
    `/runs/panels/${await addWidePanel(admin)}`,
    `/skills/${(await findSkill(admin, skill)).id}`,
    `/servers/${await addWideServer(admin)}`,
    ...(await addWideResources(admin, userId, word)),
    `/tools/${(await db().remoteTool.findFirstOrThrow({ select: { name: true } })).name}`,
  ]
}

/** Adds a panel none of whose members started. Returns its id. */
async function addWidePanel(admin: Ctx): Promise<string> {
  const refused = { configurationId: null, name: word, runId: null, refusal: word }
  const start: PanelStart = {
    members: [refused, refused, refused],
    tools: [word],
    hops: 2,
    costCap: null,
    memberCostCap: null,
  }
  const panel = { id: newId(), userId: admin.actor.userId, prompt: word, source: 'console', start }
  return (await db().panel.create({ data: { ...panel, createdAt: new Date() } })).id
}

/** Adds a schedule that starts nothing. Returns its id. */
async function addWideSchedule(admin: Ctx, configurationId: string): Promise<string> {
  const { id } = await scheduleVerbs.create(admin, {
    name: 'w'.repeat(100),
    cron: '0 7 * * 1-5',
    prompt: word,
    configurationId,
    enabled: false,
  })
  return id
}

/** Adds a channel that is told nothing. Returns its id. */
async function addWideChannel(admin: Ctx): Promise<string> {
  const mail = { kind: 'smtp', host: '127.0.0.1', port: 25, privateAddressAllowed: true } as const
  const { id } = await channelVerbs.create(admin, {
    name: 'w'.repeat(100),
    ...mail,
    enabled: false,
    sender: 'toolgate@example.com',
    recipients: `${'w'.repeat(60)}@example.com`,
  })
  return id
}

/** Adds a rule that matches nothing. Returns its id. */
async function addWideRule(admin: Ctx): Promise<string> {
  const name = 'w'.repeat(80)
  const rule = { name, toolName: 'append_line', enabled: false }
  return (await approvalRuleVerbs.create(admin, rule)).id
}

/** Adds a policy case that always fails, so that no change breaks it. Returns its id. */
async function addWideCase(admin: Ctx, configurationId: string): Promise<string> {
  const { userId } = admin.actor
  const expected = { expects: 'refused', gate: 'pinned' } as const
  const name = 'w'.repeat(80)
  const given = { name, toolName: 'append_line', configurationId, userId, ...expected }
  return (await policyCaseVerbs.create(admin, given)).id
}

/** Adds a server that nobody starts, with a tool that changed since it was accepted. Returns its id. */
async function addWideServer(admin: Ctx): Promise<string> {
  const name = 'w'.repeat(24)
  const { id } = await serverVerbs.create(admin, { name, kind: 'stdio', command: word })
  const define = async (description: string) =>
    storeFound(id, {
      facts: { name: word, version: word, protocol: '2025-11-25' },
      era: { type: 'legacy' },
      definitions: await readDefinitions(
        [{ name: word, description, inputSchema: { type: 'object', required: [word] } }],
        { inHeaders: false },
      ),
    })
  await define(word)
  const seen = await reviewTools(admin, { id })
  const facts = { effect: 'read', dataClass: 'content', requiresAdmin: true } as const
  const tools = seen.map((tool) => ({ name: tool.name, hash: tool.hash, ...facts }))
  await acceptTools(admin, { id, tools })
  await define(`${word} ${word}`)
  return id
}

async function addPerson(
  role: Role,
  { email, password }: { email: string; password: string },
  name: string,
): Promise<Ctx> {
  const { userId } = await createUser(systemCtx(), { email, password, name, role })
  const actor = { userId, email, role }
  return { actor, via: 'console', ipAddress: null, waysOut: 'unchecked' }
}
