import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { hashOf } from '@/lib/engines/tools/sandbox/text-file'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ApiScope, scopesOf } from '@/lib/protocol/api-scope'
import { apiKeyOf } from '../api-client'
import { browserHeaders } from '../browser-headers'
import { db } from '../fixture-db'
import { startMcpServer } from '../mcp/http-server'
import { textTool } from '../mcp/script'
import { turnOfPrompt } from '../model-server/prompt-directives'
import { startModelServer } from '../model-server/start-model-server'
import { addPerson } from '../people'
import { startProvider } from '../start-provider'
import { startTestEngine } from '../test-engine'
import { setEnv } from '../test-process'
import { giveToOwner } from '../workspace-folder'
import type { Asker } from './steps'

const keys = new Set(['sk-first-0123456789abcd', 'sk-next-0123456789wxyz'])

export type RecordedSite = Awaited<ReturnType<typeof openRecordedSite>>

/** Opens a site with three people, a group, two providers, an MCP server, and a model that does as the prompt says. */
export async function openRecordedSite() {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-recording-'))
  const files = await realpath(folder).then((real) => path.join(real, 'files'))
  await mkdir(files)
  giveToOwner(files)
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: path.join(folder, 'lines.txt'),
  })
  const [provider, elsewhere] = [await startProvider(keys), await startProvider(keys)]
  const models = await startModelServer({ script: turnOfPrompt })
  const mcp = await startMcpServer({
    tools: [textTool('echo'), textTool('delete_file')],
    // Old enough not to be taken for a time of today.
    protocol: '2025-06-18',
  })
  const engine = await startTestEngine()
  const admin = await addPerson('admin', 'admin@example.org')
  const member = await addPerson('member', 'member@example.org')
  const other = await addPerson('member', 'other@example.org')
  const team = await groupVerbs.create(admin, { name: 'Team' })
  await addGroupMember(admin, { groupId: team.id, userId: member.actor.userId })
  const { id: keyId } = await createApiKey(member, { name: 'Recorded', scopes: ['runs:read'] })
  await db().apiKey.update({ where: { id: keyId }, data: { prefix: 'tg_begins' } })
  const headersOf: Record<Asker, Record<string, string>> = {
    admin: await keyHeaders(admin, ...ApiScope.options),
    member: await keyHeaders(member, ...scopesOf('member')),
    other: await keyHeaders(other, ...scopesOf('member')),
    'usage:read': await keyHeaders(admin, 'usage:read'),
    'runs:read': await keyHeaders(admin, 'runs:read'),
    session: await browserHeaders(admin),
    'session without origin': await browserHeaders(admin, { origin: null }),
    'session proved an hour ago': await browserHeaders(admin, { minutes: 60 }),
    'wrong key': { authorization: 'Bearer tg_nonsense' },
    nobody: {},
  }
  return {
    headersOf,
    /** Names for requests; answers add to them. */
    saved: new Map([
      ['provider', new URL(provider.url).host],
      ['elsewhere', new URL(elsewhere.url).host],
      ['model server', new URL(models.url).host],
      ['mcp server', new URL(mcp.url).host],
      ['team', team.id],
      ['files', files],
      ['write', recordedWrite],
      ['key', keyId],
      ['admin id', admin.actor.userId],
      ['member id', member.actor.userId],
      ['other id', other.actor.userId],
    ]),
    close: async () => {
      await engine.close()
      await models.close()
      await mcp.close()
      for (const { server } of [provider, elsewhere]) server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function keyHeaders(ctx: Ctx, ...scopes: ApiScope[]) {
  return { authorization: `Bearer ${await apiKeyOf(ctx, ...scopes)}` }
}

const recordedWrite = '0198a000-0000-7000-8000-0000000000f1'

/** Writes a file in the workspace `handbook`, as a call of a tool does. */
export async function writeFileOfWorkspace(): Promise<void> {
  const { id, realFolder } = await db().workspace.findUniqueOrThrow({ where: { name: 'handbook' } })
  await writeFile(path.join(realFolder, 'notes.md'), 'After\n')
  await db().fileVersion.create({
    data: {
      id: recordedWrite,
      workspaceId: id,
      path: 'notes.md',
      before: 'Before\n',
      beforeBytes: 7,
      beforeHash: hashOf('Before\n'),
      afterHash: hashOf('After\n'),
      runId: recordedWrite,
      callId: 'call-1',
      userId: recordedWrite,
      userLabel: 'member@example.org',
    },
  })
}

/** Adds a new version of the skill `read-logs` that waits to be accepted, as after a change of its file. */
export async function changeSkillInFolder(): Promise<void> {
  const { id, version } = await db().skill.findFirstOrThrow({ where: { name: 'read-logs' } })
  const pendingVersion = version + 1
  const checksum = 'a'.repeat(64)
  const text = { frontMatter: {}, body: 'New.\n', bytes: 5, checksum, createdByLabel: 'the folder' }
  await db().skillVersion.create({ data: { skillId: id, version: pendingVersion, ...text } })
  await db().skill.update({ where: { id }, data: { pendingVersion } })
}
