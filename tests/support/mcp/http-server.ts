import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Message = { id?: number | string; method: string; params?: Record<string, unknown> }
type ReceivedMessage = Message & { headers: IncomingMessage['headers'] }

/** Answers one message; returns the result, or has written the answer itself. */
type Answer = (message: ReceivedMessage, response: ServerResponse) => unknown

const initialized = {
  capabilities: { tools: {} },
  serverInfo: { name: 'over-http', version: '2.0.0' },
}

/**
 * Starts an MCP server over HTTP on loopback that answers the handshake and lists `tools`; `answer` gets everything else, and
 * returns undefined where it has no answer. `before` may end a request before it is read.
 */
export async function startMcpServer(options: {
  tools?: unknown[]
  protocol?: string
  answer?: Answer
  before?: (request: IncomingMessage, response: ServerResponse) => boolean
}) {
  const requests: ReceivedMessage[] = []
  const server = createServer(async (request, response) => {
    if (options.before?.(request, response)) return
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const message: Message = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const whole = { ...message, headers: request.headers }
    requests.push(whole)
    if (message.id === undefined) return void response.writeHead(202).end()
    const result = (await options.answer?.(whole, response)) ?? usual(message, options)
    if (response.writableEnded || response.headersSent) return
    const body = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${originOf(server)}/mcp`,
    origin: originOf(server),
    requests,
    close: () => stop(server),
  }
}

function usual(
  { method, params }: Message,
  { tools = [], protocol = '2025-11-25' }: { tools?: unknown[]; protocol?: string },
): unknown {
  if (method === 'initialize') return { protocolVersion: protocol, ...initialized }
  if (method === 'tools/list') return { tools }
  if (method === 'tools/call') return { content: [{ type: 'text', text: JSON.stringify(params) }] }
  return null
}

function originOf(server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
