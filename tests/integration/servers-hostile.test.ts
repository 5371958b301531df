import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import type { Decision } from '@/lib/toolset/servers/accept-tools'
import { checkServer } from '@/lib/toolset/servers/check'
import { commandLineOf } from '@/lib/words/command-line'
import {
  type ApprovalSite,
  decide,
  finish,
  openApprovalSite,
  startOne,
} from '@/tests/support/approval-site'
import { keptInClear } from '@/tests/support/channels'
import { db } from '@/tests/support/fixture-db'
import { type Script, scriptedServer, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { start } from '@/tests/support/run-site'

let site: ApprovalSite
const close: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  site = await openApprovalSite()
  await site.startEngine()
})
afterAll(async () => {
  await site.close()
  await db().server.deleteMany()
  await db().toolOverride.deleteMany({ where: { toolName: { contains: '__' } } })
  for (const each of close) await each()
})

async function addServer(name: string, script: Script) {
  const program = await scriptedServer(script)
  close.push(program.close)
  const command = commandLineOf(program.command)
  const { id } = await serverVerbs.create(site.admin, { name, kind: 'stdio', command })
  await checkServer(site.admin, { id })
  return { id, program }
}

const accept = (id: string, facts?: Partial<Decision>) => acceptServer(site.admin, id, facts)

const echo = (server: string) => `[[call ${server}__echo {"text":"hi"}]] [[then]] [[say: done]]`
const approve = { type: 'approve', message: '' } as const
const calls = (notes: string[]) => notes.filter((line) => line.startsWith('call'))

test('a call that waits for approval does not run by a definition that was accepted since', async () => {
  const { id, program } = await addServer('waits', { tools: [textTool('echo')] })
  await accept(id, { effect: 'write' })
  await site.addRule({ name: 'Waits', toolName: 'waits__echo' })
  const row = await startOne(site, echo('waits'))
  program.change({ tools: [textTool('echo', { description: 'Deletes what is named.' })] })
  await checkServer(site.admin, { id })
  await accept(id, { effect: 'write' })
  await decide(site.admin, row, approve)
  const state = await finish(site.admin, row.runId)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'denied' } })
  expect(calls(program.notes())).toEqual([])
})

test('a call that waits for approval does not run on another server of that name', async () => {
  const { id } = await addServer('again', { tools: [textTool('echo')] })
  await accept(id, { effect: 'write' })
  await site.addRule({ name: 'Again', toolName: 'again__echo' })
  const row = await startOne(site, echo('again'))
  await serverVerbs.remove(site.admin, { id })
  const other = await addServer('again', { tools: [textTool('echo')] })
  await accept(other.id, { effect: 'write' })
  await decide(site.admin, row, approve)
  const state = await finish(site.admin, row.runId)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'denied' } })
  expect(calls(other.program.notes())).toEqual([])
})

test('facts that a server states about itself are stored whatever they hold', async () => {
  const { id, program } = await addServer('odd', { tools: [textTool('echo')], calledAs: 'a\0b' })
  const server = await serverVerbs.read(site.admin, { id })
  expect(server).toMatchObject({ downSince: null, toolCount: 1, saidName: 'ab' })
  expect(program.notes()).toContain('started')
})

test('the last output of a program reaches no model, and its secrets reach nobody', async () => {
  const key = 'sk-very-secret-1'
  const program = await scriptedServer({
    tools: [textTool('echo')],
    says: `invalid key ${key}`,
    calls: { echo: { exit: 1 } },
  })
  close.push(program.close)
  const { id } = await serverVerbs.create(site.admin, {
    name: 'prints',
    kind: 'stdio',
    command: commandLineOf(program.command),
    variables: `API_KEY=${key}`,
  })
  await checkServer(site.admin, { id })
  await accept(id)
  const { runId } = await start(site, echo('prints'))
  const state = await finish(site.admin, runId)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    outcome: { type: 'failed', message: 'The program ended (exit code 1).' },
  })
  expect(site.lastRequestOf(echo('prints'))).not.toContain('invalid key')
  expect(await keptInClear(site.admin)).not.toContain(key)
})
