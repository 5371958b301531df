import { afterEach, expect, test, vi } from 'vitest'
import { textTool } from '@/tests/support/mcp/script'
import { readDefinitions } from './definition'
import { takingTurns } from './turns'

afterEach(() => vi.restoreAllMocks())

/** Lets each look at the clock find so much time gone. */
function everyLookTakes(ms: number): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += ms
    return now
  })
}

/** Returns how often everything else had its turn during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  await work()
  clearImmediate(next)
  return turns
}

const steps = async (count: number) => {
  const nextTurn = takingTurns()
  for (let step = 0; step < count; step++) await nextTurn()
}

test('other work has a turn after a long step, and short steps are done together', async () => {
  everyLookTakes(10)
  expect(await turnsDuring(() => steps(5))).toBe(5)
  everyLookTakes(1)
  expect(await turnsDuring(() => steps(5))).toBe(0)
})

test('hidden characters of a definition are a problem that names their place, and it can be used', async () => {
  const description = 'Reads a file.\u{e0067}\u{e006f}'
  const sent = [
    { name: 'read', inputSchema: { type: 'object', properties: { p: { description } } } },
  ]
  const { tools, problems } = await readDefinitions(sent, { inHeaders: false })
  expect(tools).toHaveLength(1)
  expect(problems).toEqual([
    expect.stringContaining(
      '"read": Has hidden characters, which models read: inputSchema, properties, p, description, line 1, column 14 (2 invisible letters: “go”)',
    ),
  ])
})

test('few definitions that take long are read in turns', async () => {
  everyLookTakes(10)
  const sent = ['a', 'b', 'c', 'd', 'e'].map((name) => textTool(name))
  const reading = () => readDefinitions(sent, { inHeaders: true })
  expect(await turnsDuring(reading)).toBe(sent.length)
})
