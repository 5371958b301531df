import { beforeEach, expect, test } from 'vitest'
import { changeAsset, readAsset } from '@/lib/domains/storages/asset-verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { everybody, yes } from '@/tests/support/approval-fixture'
import { addAsset, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { eventsOf, runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

let admin: Ctx
let storageId: string
let uid: string

beforeEach(async () => {
  admin = await addPerson('admin')
  await db().storage.deleteMany()
  storageId = (await storageVerbs.create(admin, { name: 'Media' })).id
  uid = (await addAsset(admin, pngHead(), { storageId })).uid
})

const name = 'set_alternative_text'
const describeIt = (alternativeText: string) =>
  changeAsset(admin, { storageId, uid, alternativeText })
const stored = async () => (await readAsset(admin, { storageId, uid })).alternativeText

type Meanwhile = { decided?: () => Promise<void>; written?: () => Promise<void> }

/** Runs a call that waits for approval. `decided`: what happens before it is approved; `written`: after it wrote. */
async function describeInRun({ decided, written }: Meanwhile = {}) {
  const tool = (await loadToolset(db())).get(name)
  if (!tool) throw new Error('There is no such tool.')
  const execute: typeof tool.execute = async (args, context) => {
    const result = await tool.execute(args, context)
    await written?.()
    return result
  }
  const run = runFixture({
    script: [asks([name, { uid, text: 'A red circle.' }]), says('Done.')],
    tools: [{ ...tool, execute }],
    subject: {
      actor: { ...admin.actor, groups: [], limitedBy: [] },
      present: new Set(['storage'] as const),
      overrides: new Map([[name, { enabled: true, reason: '', changedBy: 'Ada', changedAt: 0 }]]),
      toolApprovals: new Map([[name, true]]),
    },
    deps: {
      runId: '0198a000-0000-7000-8000-00000000b002',
      after,
      readDecisions: async (...waiting) => {
        await decided?.()
        return everybody(() => yes)(...waiting)
      },
    },
  })
  const state = await runAgent(runInput(), run.deps)
  return { run, ended: state.rounds[0]?.calls[0]?.state }
}

test('an alternative text waits with what is there and what it becomes, and is read back', async () => {
  const { run, ended } = await describeInRun()
  const [request] = eventsOf(run.events, 'approval-request')
  expect(request?.data.preview).toMatchObject({
    before: { type: 'nothing' },
    becomes: { text: 'A red circle.' },
  })
  expect(ended).toMatchObject({
    outcome: { type: 'ok' },
    check: { approved: { text: 'A red circle.' }, after: { type: 'text', text: 'A red circle.' } },
  })
  expect(await stored()).toBe('A red circle.')
})

test('a text that somebody changed after the approver looked stays, and the call fails', async () => {
  await describeIt('A circle')
  const { ended } = await describeInRun({ decided: () => describeIt('A blue circle') })
  expect(ended).toMatchObject({ outcome: { type: 'failed', code: 'changed-meanwhile' } })
  expect(await stored()).toBe('A blue circle')
})

test('a text that reads back otherwise makes the call failed', async () => {
  const { ended } = await describeInRun({ written: () => describeIt('A green circle') })
  expect(ended).toMatchObject({ outcome: { type: 'failed', code: 'not-as-approved' } })
})
