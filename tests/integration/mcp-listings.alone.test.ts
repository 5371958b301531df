import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { readDefinitions } from '@/lib/engines/mcp/definition'
import { reviewTools } from '@/lib/toolset/servers/review'
import { storeFound } from '@/lib/toolset/servers/store-found'
import { db } from '@/tests/support/fixture-db'
import { full } from '@/tests/support/mcp/floods'
import { textTool } from '@/tests/support/mcp/script'
import { addPerson } from '@/tests/support/people'

const seen = vi.hoisted(() => ({ judged: [] as string[], turns: 0 }))
vi.mock('@/lib/toolset/servers/checked-schemas', async (original) => {
  const real = await original<typeof import('@/lib/toolset/servers/checked-schemas')>()
  const checkedSchemas: typeof real.checkedSchemas = (hash, definition) => {
    seen.judged.push(definition.name)
    return real.checkedSchemas(hash, definition)
  }
  const schemaProblem: typeof real.schemaProblem = (definition) => {
    seen.judged.push(definition.name)
    return real.schemaProblem(definition)
  }
  return { ...real, checkedSchemas, schemaProblem }
})
vi.mock('@/lib/engines/mcp/turns', async (original) => {
  const real = await original<typeof import('@/lib/engines/mcp/turns')>()
  const takingTurns: typeof real.takingTurns = () => {
    const nextTurn = real.takingTurns()
    return () => {
      seen.turns++
      return nextTurn()
    }
  }
  return { ...real, takingTurns }
})

beforeEach(() => void Object.assign(seen, { judged: [], turns: 0 }))
afterEach(() => db().server.deleteMany())

/** Adds a server that nobody starts. `lists` stores what it would define; `review` looks at that. */
async function addServer() {
  const admin = await addPerson('admin')
  const { id } = await serverVerbs.create(admin, { name: 'near', kind: 'stdio', command: 'near' })
  const lists = async (sent: unknown[]) =>
    storeFound(id, {
      facts: { name: 'near', version: '1', protocol: '2025-11-25' },
      era: { type: 'legacy' },
      definitions: await readDefinitions(sent, { inHeaders: true }),
    })
  return { id, lists, review: () => reviewTools(admin, { id }) }
}

const unusable = (name: string) => textTool(name, { inputSchema: { type: 'text' } })

test('only what is new in the tools of a server is judged, and each of them in its turn', async () => {
  const { id, lists, review } = await addServer()
  await lists([textTool('a'), textTool('b'), unusable('c')])
  expect(seen.judged).toEqual(['a', 'b', 'c'])
  const changed = [textTool('a'), textTool('b', { title: 'B' }), unusable('c')]
  Object.assign(seen, { judged: [], turns: 0 })
  await lists(changed)
  // Reading them and judging them.
  expect(seen).toEqual({ judged: ['b'], turns: 6 })
  await lists(changed)
  expect(seen.judged).toEqual(['b'])
  const where = { serverId: id, unusable: true }
  expect(await db().remoteTool.findMany({ where })).toMatchObject([{ remoteName: 'c' }])
  seen.turns = 0
  await review()
  expect(seen.turns).toBe(3)
})

test('the first mebibyte of new definitions is judged at once, and the rest when a person looks', async () => {
  const { lists, review } = await addServer()
  const description = 'x'.repeat(100 * 1024)
  const names = Array.from({ length: 20 }, (_, at) => `made_${at}`)
  const sent = names.map((name) =>
    textTool(name, {
      inputSchema: { type: 'object', description, properties: { a: { type: 1 } } },
    }),
  )
  await lists(sent)
  expect(seen.judged).toEqual(names.slice(0, 10))
  expect((await review()).filter(({ problem }) => problem === null)).toEqual([])
})

const longestStretchMs = 250

/** Returns tools whose schemas take long: many patterns, in as much as a server may send. */
function heavyTools(salt: number) {
  return Array.from({ length: 100 }, (_, at) => {
    const names = Array.from({ length: 1_600 }, (_none, place) => `p${place}`)
    const pattern = (name: string) => ({ type: 'string', pattern: `a${salt}${at}${name}` })
    const properties = Object.fromEntries(names.map((name) => [name, pattern(name)]))
    return textTool(`heavy_${at}`, { inputSchema: { type: 'object', properties } })
  })
}

/** Returns the longest time in which nothing else had a turn while this was done; of three tries, for what else the machine does. */
async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  const stretches: number[] = []
  for (let left = 3; left > 0; left--) {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await sleep(50)
    await work()
    await sleep(50)
    delay.disable()
    stretches.push(Math.round(delay.max / 1e6))
  }
  return Math.min(...stretches)
}

test.runIf(full)(
  'a server whose schemas take long keeps nobody waiting, nor does a look at them',
  async () => {
    const { lists, review } = await addServer()
    const sent = [1, 2, 3].map(heavyTools)
    const changes = await longestStretch(() => lists(sent.shift() ?? []))
    const looks = await longestStretch(review)
    console.log(`longest stretches: ${changes} ms of a change, ${looks} ms of a look`)
    expect(Math.max(changes, looks)).toBeLessThan(longestStretchMs)
  },
  300_000,
)
