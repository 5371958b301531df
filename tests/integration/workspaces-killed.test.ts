import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { readBeforeWrite } from '@/lib/engines/tools/sandbox/write-file'
import { findFileWrite, undoFileWrite } from '@/lib/joined-verbs'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { endWorkers, startWorker, stopped } from '@/tests/support/start-worker'

const old = 'old '.repeat(200_000)

let model: ModelServer
let site: RunSite
let folder: string
const stored = () => readFileSync(path.join(folder, 'a.md'), 'utf8')
const names = () => readdirSync(folder).sort()

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'killed-')))
  await workspaceVerbs.create(site.admin, { name: 'handbook', folder, writable: true })
  await switchTool(site.admin, { name: 'write_file', enabled: true, reason: 'a test' })
  await needsNoApproval('write_file')
})
beforeEach(() => writeFileSync(path.join(folder, 'a.md'), old))
afterEach(endWorkers)
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Holds every statement that does this to a table, as a slow database would. */
async function held(statement: 'INSERT' | 'DELETE', table: string) {
  const client = new Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  // A test that fails leaves no lock behind, for which those after it would wait.
  onTestFinished(() => client.end().catch(() => undefined))
  const lock = `hold_${table}`
  await client.query(`
    CREATE TABLE ${lock} ();
    CREATE FUNCTION ${lock}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN LOCK TABLE ${lock} IN ACCESS SHARE MODE; RETURN NULL; END $$;
    CREATE TRIGGER ${lock} BEFORE ${statement} ON ${table} EXECUTE FUNCTION ${lock}()`)
  await client.query(`BEGIN; LOCK TABLE ${lock}`)
  const waiting = `SELECT pid FROM pg_locks WHERE relation = '${lock}'::regclass AND NOT granted`
  return {
    /** Resolves once a statement waits. */
    isAwaited: () =>
      expect
        .poll(async () => (await client.query(waiting)).rowCount, { interval: 20 })
        .toBeGreaterThan(0),
    /** Ends the connections that wait, as those of a machine that died. */
    cut: () => client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS w`),
    release: async () => {
      await client.query('COMMIT')
      await client.query(`DROP FUNCTION ${lock} CASCADE; DROP TABLE ${lock}`)
      await client.end()
    },
  }
}

/** Returns how a call ended whose process was killed, and what the model was told. */
async function afterRestart(runId: string) {
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  const call = state.rounds[0]?.calls[0]
  if (call?.state.type !== 'ended') throw new Error('The call did not end.')
  const result = model.requests.at(-1)?.results.join() ?? ''
  return { ...call.state, callId: call.callId, result }
}

const prompt = (content: string) =>
  `[[call write_file {"workspace":"handbook","path":"a.md","content":"${content}"}]] [[then]] [[say: done]]`

test.each([
  { statement: 'INSERT', undo: 'nothing' },
  { statement: 'DELETE', undo: 'the old text' },
] as const)(
  'killed when $undo was kept to undo, a write leaves the old file and no other, and says so',
  async ({ statement }) => {
    const dying = await startWorker()
    const versions = await held(statement, 'file_versions')
    const { runId } = await start(site, prompt('new'))
    await versions.isAwaited()
    expect(names()).toHaveLength(2)
    await stopped(dying)
    await versions.cut()
    await versions.release()
    await startWorker()
    const { outcome, check, callId, result } = await afterRestart(runId)
    expect(outcome).toMatchObject({ type: 'unknown' })
    expect(check?.after).toEqual(check?.before)
    expect(result).toContain('What is there now is what was there before.')
    expect(result).not.toMatch(/nothing was changed/i)
    expect(stored()).toBe(old)
    expect(names()).toEqual(['a.md'])
    const found = findFileWrite(site.admin, { runId, callId })
    if (statement === 'INSERT') return expect(found).rejects.toThrow('does not exist')
    const { id: writeId, refusal } = await found
    expect(refusal).toContain('nothing to put back')
    await expect(undoFileWrite(site.admin, { writeId })).rejects.toThrow('nothing to put back')
  },
)

test('killed after a file took its place, a write leaves the new file, says so, and can be undone', async () => {
  const dying = await startWorker()
  const versions = await held('INSERT', 'file_versions')
  const { runId } = await start(site, prompt('new'))
  await versions.isAwaited()
  const events = await held('INSERT', 'run_events')
  await versions.release()
  await expect.poll(stored).toBe('new')
  await stopped(dying)
  await events.cut()
  await events.release()
  await startWorker()
  const { outcome, check, callId, result } = await afterRestart(runId)
  expect(outcome).toMatchObject({ type: 'unknown' })
  expect(check).toMatchObject({ after: { text: 'new' }, approved: { text: 'new' } })
  expect(result).toContain('What is there now is what the call was to write.')
  expect(stored()).toBe('new')
  expect(names()).toEqual(['a.md'])
  const { id: writeId, refusal } = await findFileWrite(site.admin, { runId, callId })
  expect(refusal).toBeNull()
  await undoFileWrite(site.admin, { writeId })
  expect(stored()).toBe(old)
})

test('files that a living process is writing are left alone when others tidy up', async () => {
  await startWorker()
  const versions = await held('INSERT', 'file_versions')
  const { runId } = await start(site, prompt('new'))
  await versions.isAwaited()
  expect(await readBeforeWrite({ root: folder, path: 'a.md' })).toMatchObject({ text: old })
  expect(names()).toHaveLength(2)
  await versions.release()
  const { outcome } = await afterRestart(runId)
  expect(outcome).toMatchObject({ type: 'ok' })
  expect(stored()).toBe('new')
  expect(names()).toEqual(['a.md'])
})
