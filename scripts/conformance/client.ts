// Plays Toolgate for the public conformance runner: connects to the server of one scenario as Toolgate does, reads its
// tools, calls each of them once, and stays as long as a connection lives that a run uses.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connect } from '@/lib/engines/mcp/connection'
import { readDefinitions, type ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'

const timeoutMs = 10_000
/** A server may close its stream and say when to open it again. */
const stayMs = 4_000

const Context = z
  .object({
    toolCalls: z.array(
      z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
  })
  .partial()

const Properties = z.record(z.string(), z.looseObject({ type: z.string().optional() })).catch({})

const url = process.argv.at(-1) ?? ''
const { toolCalls } = Context.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'))

const connection = await connect(
  { type: 'http', url, headers: {}, privateAddressAllowed: true },
  { era: null },
)
const listed = await connection.listTools()
const { tools } = await readDefinitions(listed.tools, connection)
for (const { definition } of tools) await call(definition)
await sleep(stayMs)
await connection.close()

/** Calls a tool as the scenario wants it called, or with a value for each parameter. What the server refuses is said. */
async function call({ name, inputSchema }: ToolDefinitionRecord): Promise<void> {
  const wanted = toolCalls?.find((each) => each.name === name)
  if (toolCalls && !wanted) return
  const args = wanted?.arguments ?? valuesFor(inputSchema)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    await connection.callTool({ name, inputSchema, args, timeoutMs, signal })
  } catch (error) {
    if (!(error instanceof ServerError)) throw error
    console.log(`${name}: ${error.message}`)
  }
}

function valuesFor(schema: Record<string, unknown>): Record<string, unknown> {
  const examples: Record<string, unknown> = { number: 5, integer: 5, boolean: true, string: 'text' }
  const properties = Object.entries(Properties.parse(schema.properties))
  return Object.fromEntries(properties.map(([name, { type = 'string' }]) => [name, examples[type]]))
}
