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
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { workspaceVerbs } from '@/lib/domains/workspaces/verbs'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { decide, startOne } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { sends, startWebServer } from '@/tests/support/web-server'
import { addWireSite, spokenWires } from '@/tests/support/wire-site'

let admin: Ctx
let model: ModelServer
let web: Awaited<ReturnType<typeof startWebServer>>
let engine: Engine
let folder: string

beforeAll(async () => {
  admin = await addPerson('admin')
  model = await startModelServer({ script: turnOfPrompt })
  web = await startWebServer({ '/page': sends('The page says heron.') })
  engine = await startTestEngine()
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'every-api-')))
  writeFileSync(path.join(folder, 'a.md'), 'The file says osprey.\n')
  await workspaceVerbs.create(admin, { name: 'handbook', folder, writable: true })
  await hostVerbs.create(admin, { name: web.origin, privateAddressAllowed: true })
  await switchTool(admin, { name: 'write_file', enabled: true, reason: 'a test' })
  const condition = { path: '$.path', operator: 'starts-with' as const, value: 'closed' }
  await approvalRuleVerbs.create(admin, {
    name: 'Closed files',
    toolName: 'write_file',
    action: 'deny',
    conditions: [condition],
  })
})
afterAll(async () => {
  await engine.close()
  await model.close()
  await web.close()
  await db().workspace.deleteMany()
  rmSync(folder, { recursive: true, force: true })
})

const call = (name: string, args: object) => `[[call ${name} ${JSON.stringify(args)}]]`

const write = (name: string) =>
  call('write_file', { workspace: 'handbook', path: name, content: 'The write says kestrel.' })

/** The calls of a run, each in a round of its own, and what of its result the next request has to carry. */
const chain = (file: string): [call: string, told: string][] => [
  [call('fetch_url', { url: `${web.origin}/page` }), 'The page says heron.'],
  [
    call('verify', { checks: [{ kind: 'url_head', url: `${web.origin}/page` }] }),
    '"passed":1,"failed":0',
  ],
  [call('read_file', { workspace: 'handbook', path: 'a.md' }), 'The file says osprey.'],
  [write(file), '"written":"new file"'],
  [write(`closed-${file}`), 'The rule "Closed files" refuses it'],
  [call('calculate', { expression: '6 * 7.5' }), '45'],
]

test.each(spokenWires)('%s: the result of each tool reaches the next request', async (wire) => {
  const site = await addWireSite(admin, model.url, { wire })
  const file = `${wire}.md`
  const calls = chain(file)
  const prompt = [...calls.map(([text]) => text), '[[say: done]]'].join(' [[then]] ')
  const before = model.requests.length
  const waiting = await startOne(site, prompt)
  expect(waiting).toMatchObject({
    toolName: 'write_file',
    preview: { before: { type: 'nothing' }, becomes: { text: 'The write says kestrel.' } },
  })
  expect(readdirSync(folder)).not.toContain(file)
  await decide(admin, waiting, { type: 'approve', message: '' })
  const state = foldRun(await collect(admin, waiting.runId))
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds.at(-1)?.text).toBe('done')
  const outcomes = state.rounds.flatMap((round) =>
    round.calls.map(({ state: ended }) => (ended.type === 'ended' ? ended.outcome.type : '')),
  )
  expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'denied', 'ok'])
  const requests = model.requests.slice(before)
  expect(requests).toHaveLength(calls.length + 1)
  for (const [place, [, result]] of calls.entries()) {
    const results = requests[place + 1]?.results ?? []
    expect(results).toHaveLength(place + 1)
    expect(results.at(-1)).toContain(result)
  }
  expect(readFileSync(path.join(folder, file), 'utf8')).toBe('The write says kestrel.')
  expect(readdirSync(folder)).not.toContain(`closed-${file}`)
})
