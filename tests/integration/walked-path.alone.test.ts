import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addKey } from '@/lib/domains/connections/key-verbs'
import type { Provider } from '@/lib/engines/providers/provider'
import type { ExecutableTool } from '@/lib/protocol/tool'
import type { Engine } from '@/lib/runs/engine/engine'
import { readDrawnPath, type Station } from '@/scripts/drawn-path'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

// The drawing in ARCHITECTURE.md is complete: every file on the stack of a prompt is a station of it, in the same order.
const { stacks, noteStack } = vi.hoisted(() => {
  const noted = new Map<string, string>()
  const note = (end: string) => {
    if (!noted.has(end)) noted.set(end, new Error(end).stack ?? '')
  }
  return { stacks: noted, noteStack: note }
})

vi.mock('@/lib/engines/providers/open-provider', async (original) => {
  const { openProvider } = await original<typeof import('@/lib/engines/providers/open-provider')>()
  return {
    openProvider: (...options: Parameters<typeof openProvider>): Provider => {
      const provider = openProvider(...options)
      return {
        ...provider,
        async *stream(...request) {
          noteStack('provider')
          yield* provider.stream(...request)
        },
      }
    },
  }
})

vi.mock('@/lib/engines/tools/builtin/calculate', async (original) => {
  const real = await original<{ default: ExecutableTool }>()
  const execute: ExecutableTool['execute'] = (...call) => {
    noteStack('tool')
    return real.default.execute(...call)
  }
  return { default: { ...real.default, execute } }
})

const { toModel, toTool } = readDrawnPath(readFileSync('ARCHITECTURE.md', 'utf8'))
const { stackTraceLimit } = Error
let server: ModelServer
let engine: Engine

beforeAll(async () => {
  Error.stackTraceLimit = 200
  const call = { name: 'calculate', arguments: { expression: '1 + 1' } }
  server = await startModelServer({
    script: ({ body }) =>
      JSON.stringify(body).includes('"role":"tool"') ? { text: 'It is 2.' } : { calls: [call] },
  })
  engine = await startTestEngine()
})

afterAll(async () => {
  Error.stackTraceLimit = stackTraceLimit
  await engine.close()
  await server.close()
})

/** Returns the files of the product on a stack, the outermost first, each where it comes first. */
function filesOn(end: string): string[] {
  const frames = (stacks.get(end) ?? '').split('\n').toReversed()
  const files = frames.flatMap((frame) => /\/((?:lib|app)\/[^:]+\.tsx?):\d+/.exec(frame)?.[1] ?? [])
  return [...new Set(files)]
}

/** Returns the stations between two files, without these two ends of what one stack can show. */
function drawn(stations: readonly Station[], first: string, afterLast?: string): string[] {
  const files = stations.map(({ file }) => file)
  const end = afterLast === undefined ? files.length - 1 : files.indexOf(afterLast)
  return files.slice(files.indexOf(first), end)
}

test('a prompt passes the files that are drawn, and no other', async () => {
  const site = await addRunSite(server.url)
  const connection = await db().connection.findFirstOrThrow({
    where: { models: { some: { configurations: { some: { identifier: site.configuration } } } } },
  })
  // With two keys, a request passes the key pool, too.
  await addKey(site.admin, { id: connection.id, label: 'second', apiKey: 'sk-second-0123456789' })
  const { work } = engine
  const begin = work.start.bind(work)
  vi.spyOn(work, 'start').mockImplementation((run) => {
    noteStack('start')
    begin(run)
  })
  const { runId } = await start(site, 'How much is 1 + 1?')
  const updates = await collect(site.admin, runId)
  expect(updates.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'completed' } })

  const loops = 'lib/runs/engine/run-loops.ts'
  expect(filesOn('start')).toEqual(drawn(toModel, 'lib/runs/start/start-run.ts', loops))
  expect(filesOn('provider')).toEqual(drawn(toModel, loops))
  expect(filesOn('tool')).toEqual(drawn(toTool, loops))
})
