import { afterEach, expect, test } from 'vitest'
import { scriptedServer, textTool } from '@/tests/support/mcp/script'
import { serverPool } from './server-pool'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of close.splice(0).reverse()) await each()
})

/** Opens a pool that notes what it is told. */
function openPool() {
  const listed: number[] = []
  const failed: unknown[] = []
  const pool = serverPool({
    listed: async (_id, { definitions }) => void listed.push(definitions.tools.length),
    failed: (_id, error) => failed.push(error),
    isWanted: async () => true,
  })
  close.push(pool.closeAll)
  return { pool, listed, failed }
}

const pooled = (command: string[]) => ({
  ...{ id: 'one', version: '1', era: null },
  address: { type: 'stdio' as const, command, environment: {}, hiddenFolders: [] },
})

test('a connection that was replaced while it waited to read again is no failure of its server', async () => {
  const script = (...names: string[]) => ({ tools: names.map((name) => textTool(name)) })
  const program = await scriptedServer(script('a'))
  const { pool, listed, failed } = openPool()
  close.push(program.close)
  const lines: string[] = []
  const server = {
    ...pooled(program.command),
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

test('who stops connecting stops nobody else, and says nothing about the server', async () => {
  const tools = [textTool('a')]
  const program = await scriptedServer({ tools, silent: ['tools/list'] })
  const { pool, listed, failed } = openPool()
  close.push(program.close)
  const stopping = new AbortController()
  const refreshed = pool.refresh({ ...pooled(program.command), signal: stopping.signal })
  refreshed.catch(() => undefined)
  await expect.poll(program.notes).toContain('silent tools/list')
  const other = pool.lend(pooled(program.command), async ({ definitions }) => definitions.tools)
  program.change({ tools })
  stopping.abort()
  await expect(refreshed).rejects.toMatchObject({ code: 'stopped' })
  expect(await other).toHaveLength(1)
  expect({ listed, failed }).toEqual({ listed: [1], failed: [] })
})
