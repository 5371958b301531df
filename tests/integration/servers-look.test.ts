import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { toRunEvent } from '@/lib/runs/run-record'
import { acceptTools, type Decision } from '@/lib/toolset/servers/accept-tools'
import { checkServer } from '@/lib/toolset/servers/check'
import { reviewTools } from '@/lib/toolset/servers/review'
import { commandLineOf } from '@/lib/words/command-line'
import {
  type ApprovalSite,
  decide,
  finish,
  openApprovalSite,
  startAndWait,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { type Script, scriptedServer } from '@/tests/support/mcp/script'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { start } from '@/tests/support/run-site'

const approve = { type: 'approve', message: '' } as const
const text = { type: 'string' }
const tool = (name: string, ...names: string[]) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map((each) => [each, text])),
    required: names,
  },
})
const writing = tool('write_file', 'path', 'content')
const definitions = [tool('read_text_file', 'path'), writing]
const look = { tool: 'read_text_file', arguments: { path: '$.path' }, becomes: '$.content' }

let site: ApprovalSite
let folder: string
let server: { id: string; program: Awaited<ReturnType<typeof scriptedServer>> }

beforeAll(async () => {
  site = await openApprovalSite()
  await site.startEngine()
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-look-'))
  const program = await scriptedServer(script())
  const command = commandLineOf(program.command)
  const { id } = await serverVerbs.create(site.admin, { name: 'files', kind: 'stdio', command })
  server = { id, program }
  await checkServer(site.admin, { id })
})
afterAll(async () => {
  await site.close()
  await server.program.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await db().toolApproval.deleteMany()
  await accept('read_text_file', { effect: 'read', requiresAdmin: false })
  await accept('write_file', { effect: 'write', look, enabled: true })
})

function script(fields: Partial<Script> = {}): Script {
  return {
    tools: definitions,
    calls: { read_text_file: { reads: folder }, write_file: { writes: folder } },
    ...fields,
  }
}

async function review(remoteName: string) {
  const found = (await reviewTools(site.admin, { id: server.id })).find(
    (each) => each.remoteName === remoteName,
  )
  if (!found) throw new Error(`There is no tool ${remoteName}.`)
  return found
}

async function accept(remoteName: string, facts: Partial<Decision>) {
  const { name, hash } = await review(remoteName)
  const usual = { effect: 'read', dataClass: 'content', requiresAdmin: false } as const
  const decision: Decision = { name, hash, ...usual, ...facts }
  await acceptTools(site.admin, { id: server.id, tools: [decision] })
}

const fileAt = (name: string) => path.join(folder, name)
const write = (name: string, content: string) =>
  `[[call files__write_file ${JSON.stringify({ path: name, content })}]] [[then]] [[say: done]]`

async function waiting(prompt: string) {
  const { runId, approvals } = await startAndWait(site, prompt)
  const [row] = approvals
  if (!row) throw new Error('No call waits.')
  return { runId, row, preview: callOf(await stateOf(runId)).approval?.preview }
}

async function stateOf(runId: string): Promise<RunState> {
  const rows = await db().runEventRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } })
  return foldRun(rows.map(toRunEvent))
}

function callOf(state: RunState) {
  const call = state.rounds[0]?.calls[0]
  if (!call) throw new Error('The model asked for no call.')
  return call
}

async function endOf(runId: string) {
  const { state } = callOf(await finish(site.admin, runId))
  if (state.type !== 'ended') throw new Error('The call did not end.')
  return state
}

test('the approver sees what is there and what will be, and what was read back stands beside it', async () => {
  await writeFile(fileAt('note.txt'), 'old\n')
  const { runId, row, preview } = await waiting(write('note.txt', 'new\n'))
  expect(preview).toMatchObject({
    before: { type: 'text', text: 'old\n' },
    becomes: { text: 'new\n' },
  })
  // The list of waiting calls shows the same.
  expect(row.preview).toEqual(preview)
  await decide(site.admin, row, approve)
  expect(await endOf(runId)).toMatchObject({
    outcome: { type: 'ok' },
    check: { before: { text: 'old\n' }, approved: { text: 'new\n' }, after: { text: 'new\n' } },
  })
  expect(await readFile(fileAt('note.txt'), 'utf8')).toBe('new\n')
  // Reads for the approver are no calls of the model.
  const { rounds } = await stateOf(runId)
  expect(rounds.flatMap(({ calls }) => calls.map(({ name }) => name))).toEqual([
    'files__write_file',
  ])
  expect(await db().callRecord.count({ where: { runId } })).toBe(1)
})

test('a file that is not there is nothing, and one that changes while the call waits stays as it is', async () => {
  const { runId, row, preview } = await waiting(write('fresh.txt', 'mine'))
  expect(preview?.before).toEqual({ type: 'nothing' })
  await writeFile(fileAt('fresh.txt'), 'theirs')
  const before = server.program.notes().filter((line) => line === 'call write_file').length
  await decide(site.admin, row, approve)
  expect(await endOf(runId)).toMatchObject({
    outcome: { type: 'failed', code: 'changed-meanwhile' },
  })
  expect(await readFile(fileAt('fresh.txt'), 'utf8')).toBe('theirs')
  const after = server.program.notes().filter((line) => line === 'call write_file').length
  expect(after).toBe(before)
})

test('a tool that writes something else than was approved fails, also where no approval was needed', async () => {
  server.program.change(
    script({
      calls: {
        read_text_file: { reads: folder },
        write_file: { writes: folder, changed: true },
      },
    }),
  )
  const { runId, row } = await waiting(write('other.txt', 'right'))
  await decide(site.admin, row, approve)
  const failed = { outcome: { type: 'failed', code: 'not-as-approved' } }
  expect(await endOf(runId)).toMatchObject({ ...failed, check: { after: { text: 'right!' } } })
  await needsNoApproval('files__write_file')
  const { runId: unasked } = await start(site, write('other.txt', 'again'))
  expect(await endOf(unasked)).toMatchObject({ ...failed, check: { before: { text: 'right!' } } })
  server.program.change(script())
})

test('a reading tool that is not accepted as one is not called, and the preview says so', async () => {
  const reads = () => server.program.notes().filter((line) => line === 'call read_text_file').length
  await accept('read_text_file', { effect: 'write' })
  const before = reads()
  const { runId, row, preview } = await waiting(write('blind.txt', 'text'))
  expect(preview).toMatchObject({
    before: { type: 'unread', problem: expect.stringContaining('only reads') },
    becomes: { text: 'text' },
  })
  await decide(site.admin, row, { type: 'deny', message: '' })
  await finish(site.admin, runId)
  server.program.change(script({ tools: [tool('read_text_file', 'path', 'head'), writing] }))
  await accept('read_text_file', { effect: 'read' })
  await checkServer(site.admin, { id: server.id })
  const changed = await waiting(write('blind.txt', 'text'))
  expect(changed.preview).toMatchObject({
    before: { type: 'unread', problem: expect.stringContaining('changed') },
  })
  await decide(site.admin, changed.row, { type: 'deny', message: '' })
  await finish(site.admin, changed.runId)
  expect(reads()).toBe(before)
  server.program.change(script())
  await checkServer(site.admin, { id: server.id })
})

test('a look is proposed for a known tool, part of what was accepted, and of this server', async () => {
  expect(await review('write_file')).toMatchObject({ proposedLook: look, look })
  expect(await review('read_text_file')).toMatchObject({ proposedLook: null, look: null })
  const pinOf = async () =>
    (await db().remoteTool.findFirstOrThrow({ where: { remoteName: 'write_file' } })).pin
  const pin = await pinOf()
  await accept('write_file', { effect: 'write' })
  expect(await pinOf()).toBe(pin)
  await accept('write_file', { effect: 'write', look: { ...look, becomes: null } })
  expect(await pinOf()).not.toBe(pin)
  await accept('write_file', { effect: 'write', look: null })
  expect((await review('write_file')).look).toBeNull()
  const reject = (fields: Partial<typeof look>) =>
    expect(accept('write_file', { effect: 'write', look: { ...look, ...fields } })).rejects
  await reject({ tool: 'write_file' }).toThrow('no other tool')
  await reject({ tool: 'elsewhere' }).toThrow('no other tool')
  await reject({ becomes: 'content' }).toThrow('begins with $')
  await reject({ arguments: { path: '$.all[*]' } }).toThrow('one value')
})
