import { afterEach, expect, test } from 'vitest'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { serverPool } from './server-pool'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

test('a connection that was replaced while it waited to read again is no failure of its server', async () => {
  const script = (...names: string[]) => ({ tools: names.map((name) => textTool(name)) })
  const program = await scriptedServer(script('a'))
  const listed: number[] = []
  const failed: unknown[] = []
  const pool = serverPool({
    listed: async (_id, { definitions }) => void listed.push(definitions.tools.length),
    failed: (_id, error) => failed.push(error),
    isWanted: async () => true,
  })
  close.push(program.close, pool.closeAll)
  const lines: string[] = []
  const address = { type: 'stdio' as const, command: program.command, environment: {} }
  const server = {
    ...{ id: 'one', version: '1', era: null, address: { ...address, hiddenFolders: [] } },
    onLine: ({ text }: { text: string }) => void lines.push(text),
  }
  const changes = () => lines.filter((line) => line.includes('list_changed')).length
  await pool.refresh(server)
  program.change(script('a', 'b'))
  await expect.poll(changes, { timeout: 20_000 }).toBe(1)
  await pool.refresh(server)
  program.change(script('a', 'b', 'c'))
  // Its turn comes after that of the connection before it.
  await expect.poll(() => listed, { timeout: 20_000 }).toEqual([1, 2, 3])
  expect(failed).toEqual([])
})
