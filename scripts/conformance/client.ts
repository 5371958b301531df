// Plays Toolgate for the public conformance runner: connects to the server of one scenario as Toolgate does, signs in where it
// is asked to, reads its tools, calls each of them once, and stays as long as a connection lives that a run uses.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connect, type McpConnection } from '@/lib/engines/mcp/connection'
import { readDefinitions, type ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { SignInError } from '@/lib/engines/mcp/sign-in/sign-in-error'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'
import { ScenarioAccount } from './scenario-account'

const timeoutMs = 10_000
/** A server may close its stream and say when to open it again. */
const stayMs = 4_000

const Context = z
  .object({
    toolCalls: z.array(
      z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
    client_id: z.string(),
    client_secret: z.string(),
  })
  .partial()

const Properties = z.record(z.string(), z.looseObject({ type: z.string().optional() })).catch({})

const url = process.argv.at(-1) ?? ''
const context = Context.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'))
const { toolCalls, client_id: clientId, client_secret: clientSecret = null } = context
const account = new ScenarioAccount(url, clientId === undefined ? null : { clientId, clientSecret })

try {
  const connection = await account.withSignIn(open)
  const listed = await account.withSignIn(() => connection.listTools())
  const { tools } = await readDefinitions(listed.tools, connection)
  for (const { definition } of tools) await call(connection, definition)
  if (!account.isUsed) await sleep(stayMs)
  await connection.close()
} catch (error) {
  if (!(error instanceof SignInError || error instanceof ServerError)) throw error
  console.log(`${error.code}: ${error.message}`)
}

function open(): Promise<McpConnection> {
  const token = async () => account.token
  return connect(
    { type: 'http', url, headers: {}, privateAddressAllowed: true, token },
    { era: null },
  )
}

/** Calls a tool as the scenario wants it called, or with a value for each parameter. What the server refuses is said. */
async function call(
  connection: McpConnection,
  { name, inputSchema }: ToolDefinitionRecord,
): Promise<void> {
  const wanted = toolCalls?.find((each) => each.name === name)
  if (toolCalls && !wanted) return
  const args = wanted?.arguments ?? valuesFor(inputSchema)
  try {
    await account.withSignIn(() => {
      const signal = AbortSignal.timeout(timeoutMs)
      return connection.callTool({ name, inputSchema, args, timeoutMs, signal })
    })
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
