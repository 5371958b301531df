import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { findSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import { beginPolicyChange } from '@/lib/kernel/policy-lock'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { readApprovalRuns } from '@/lib/runs/approvals/approval-rights'
import { addLocalModel } from '@/tests/support/add-local-model'
import { addConfiguration, addModel, edit } from '@/tests/support/configuration-fixture'
import { db, withTransaction } from '@/tests/support/fixture-db'
import type { ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { skillText } from '@/tests/support/skills'
import { startTestEngine } from '@/tests/support/test-engine'

/** Adds a configuration with one skill. */
async function siteWithSkill(name: string): Promise<{ site: RunSite; skillId: string }> {
  const site = await addRunSite('http://127.0.0.1:9')
  const files = await readSkillFiles(Buffer.from(skillText(name)))
  await importSkills(site.admin, { source: 'paste', files, confirmed: null })
  const { id: skillId } = await findSkill(site.admin, name)
  const { configurationId } = await readConfiguration(db(), site.admin, site.configuration)
  await attachSkill(site.admin, { configurationId, skillId })
  return { site, skillId }
}

async function snapshotOf(runId: string): Promise<RunSnapshot> {
  const key = { runId_seq: { runId, seq: 1 } }
  const { data } = await db().runEventRow.findUniqueOrThrow({ where: key })
  return RunSnapshot.parse(Object(data).snapshot)
}

test('a run keeps the version of a skill that counts, not the newest there is', async () => {
  const { site, skillId } = await siteWithSkill('current')
  const key = { skillId_version: { skillId, version: 1 } }
  const {
    allowedTools: _,
    frontMatter: __,
    ...first
  } = await db().skillVersion.findUniqueOrThrow({ where: key })
  await db().skillVersion.create({
    data: { ...first, version: 2, frontMatter: {}, body: 'Not accepted.' },
  })
  const { runId } = await start(site, 'Which one?')
  const { skills } = await snapshotOf(runId)
  expect(skills).toMatchObject([{ skillId, name: 'current', version: 1, body: first.body }])
})

test('approvals are judged by the snapshot without its long texts', async () => {
  const { site, skillId } = await siteWithSkill('long')
  const { runId } = await start(site, 'Judge.')
  const read = (await readApprovalRuns(db(), [runId, randomUUID()])).get(runId)
  const { skills, ...snapshot } = await snapshotOf(runId)
  const bodiless = skills.map((skill) => ({ ...skill, body: '' }))
  expect(bodiless).toMatchObject([{ skillId }])
  expect(read).toEqual({
    userId: site.admin.actor.userId,
    apiKeyId: null,
    fourEyes: false,
    snapshot: { ...snapshot, systemPrompt: '', skills: bodiless },
    selected: null,
  })
})

test('a run that starts while a skill is taken back starts without it', async () => {
  const { site, skillId } = await siteWithSkill('taken-back')
  let starting: ReturnType<typeof start> | undefined
  await withTransaction(async (tx) => {
    await beginPolicyChange(tx)
    starting = start(site, 'With it?')
    await somebodyWaitsForTheLock()
    await tx.skill.update({ where: { id: skillId }, data: { enabled: false } })
  })
  if (!starting) throw new Error('No run was started.')
  expect((await snapshotOf((await starting).runId)).skills).toEqual([])
})

test('an edit in the middle of a run changes nothing of it but what it takes away (ADR 007)', async () => {
  // The runs of the tests above have no provider to ask.
  await db().run.updateMany({ data: { status: 'ended' } })
  const admin = await addPerson('admin')
  const seen: ServedRequest[] = []
  const calls = [{ name: 'get_runtime_info', arguments: {} }]
  const server = await startModelServer({
    script: async (request) => {
      seen.push(request)
      if (seen.length > 1) return { text: 'Done.' }
      const changes = { systemPrompt: 'Another.', temperature: 0.9, maxOutputTokens: 200 }
      await edit(admin, id, {
        ...changes,
        modelId: await addModel(admin, 'private'),
        maxRounds: 1,
        allowedToolGroups: ['accounts'],
      })
      return { calls }
    },
  })
  const wire = 'openai-compatible'
  const modelId = await addLocalModel(admin, { wire, connectionName: 'Here', url: server.url })
  const id = await addConfiguration(admin, {
    modelId,
    systemPrompt: 'The first prompt.',
    temperature: 0.1,
    maxOutputTokens: 100,
    allowedToolGroups: ['system'],
  })
  const engine = await startTestEngine()
  const { runId } = await start({ admin, configuration: id }, 'What runs here?')
  const state = foldRun(await collect(admin, runId))
  await engine.close()
  await server.close()
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
  expect(state.rounds).toHaveLength(2)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    type: 'ended',
    verdict: { allowed: false, gate: 'configuration' },
  })
  expect(seen).toHaveLength(2)
  for (const request of seen) {
    const text = JSON.stringify(request)
    expect(text).toContain('The first prompt.')
    expect(text).not.toContain('Another.')
  }
  expect(state.start?.snapshot).toMatchObject({
    parameters: { temperature: 0.1, maxOutputTokens: 100 },
    targets: [{ modelRecordId: modelId }],
    maxRounds: 5,
  })
})

async function somebodyWaitsForTheLock(): Promise<void> {
  for (;;) {
    const [row] = await db().$queryRaw<{ waiting: bigint }[]>`
      SELECT count(*) AS waiting FROM pg_locks
      WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`
    if (row && row.waiting > 0n) return
  }
}
