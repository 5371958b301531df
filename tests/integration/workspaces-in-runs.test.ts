import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import { findFileWrite, undoFileWrite } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { everybody, yes } from '@/tests/support/approval-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { eventsOf, runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

let admin: Ctx
let folder: string
const file = () => path.join(folder, 'a.md')

beforeEach(async () => {
  admin = await addPerson('admin')
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'in-runs-')))
  writeFileSync(file(), 'one\ntwo\n')
  await workspaceVerbs.create(admin, { name: 'handbook', folder, writable: true })
})
afterEach(async () => {
  await db().workspace.deleteMany()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs an edit that waits for approval. `decided` is called when a person approves it. */
async function editInRun(decided: () => void, edit = { find: 'two', replace: 'three' }) {
  const args = { workspace: 'handbook', path: 'a.md', ...edit }
  const tool = (await loadToolset(db())).get('edit_file')
  if (!tool) throw new Error('There is no such tool.')
  const runId = '0198a000-0000-7000-8000-00000000b001'
  const run = runFixture({
    script: [asks(['edit_file', args]), says('Done.')],
    tools: [tool],
    subject: {
      actor: { ...admin.actor, groups: [], limitedBy: [] },
      present: new Set(['workspace'] as const),
      overrides: new Map([
        ['edit_file', { enabled: true, reason: '', changedBy: 'Ada', changedAt: 0 }],
      ]),
      toolApprovals: new Map([['edit_file', true]]),
    },
    deps: {
      runId,
      after,
      readDecisions: everybody(() => {
        decided()
        return yes
      }),
    },
  })
  const state = await runAgent(runInput(), run.deps)
  const call = state.rounds[0]?.calls[0]
  return { run, runId, callId: call?.callId ?? '', ended: call?.state }
}

test('an edit waits with its difference, is read back, and can be undone', async () => {
  const { run, runId, callId, ended } = await editInRun(() => undefined)
  const [request] = eventsOf(run.events, 'approval-request')
  expect(request?.data.preview).toMatchObject({
    before: { type: 'text', text: 'one\ntwo\n' },
    becomes: { text: 'one\nthree\n' },
  })
  expect(ended).toMatchObject({
    outcome: { type: 'ok' },
    check: { approved: { text: 'one\nthree\n' }, after: { type: 'text', text: 'one\nthree\n' } },
  })
  expect(readFileSync(file(), 'utf8')).toBe('one\nthree\n')
  const { id: writeId, refusal } = await findFileWrite(admin, { runId, callId })
  expect(refusal).toBeNull()
  await undoFileWrite(admin, { writeId })
  expect(readFileSync(file(), 'utf8')).toBe('one\ntwo\n')
})

test('an edit that takes the last letter beyond ASCII away is undone in the encoding that the file had', async () => {
  const before = Buffer.from('caf\xe9\r\nsecond line\r\n', 'latin1')
  writeFileSync(file(), before)
  const { runId, callId } = await editInRun(() => undefined, {
    find: 'caf\u00e9\n',
    replace: 'tea\n',
  })
  expect(readFileSync(file(), 'latin1')).toBe('tea\r\nsecond line\r\n')
  const { id: writeId } = await findFileWrite(admin, { runId, callId })
  await undoFileWrite(admin, { writeId })
  expect(readFileSync(file())).toEqual(before)
})

test('an approved edit does not overwrite what changed after the approver looked', async () => {
  const { ended } = await editInRun(() => writeFileSync(file(), 'two of another kind\n'))
  expect(ended).toMatchObject({ outcome: { type: 'failed', code: 'changed-meanwhile' } })
  expect(readFileSync(file(), 'utf8')).toBe('two of another kind\n')
  expect(await db().fileVersion.count()).toBe(0)
})
