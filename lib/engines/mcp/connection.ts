import type { CallToolResult, Client, Transport } from '@modelcontextprotocol/client'
import { cleanText } from '@/lib/words/clean-text'
import { version } from '@/package.json'
import { type ListedTools, listTools } from './list-tools'
import { type CalledTool, failureOf } from './read-result'
import { errorText, marksIn, rememberTokens, scrubber } from './scrubber'
import { toServerError, unreadable } from './to-server-error'
import { ChildTransport } from './transport/child-transport'
import { guarded } from './transport/guarded-transport'
import { serverFetch } from './transport/http-fetch'
import {
  downloadsFirst,
  type KnownEra,
  type LogLine,
  type ServerAddress,
  ServerError,
  type ServerFacts,
} from './transport/server-address'

/** Longer lines of the log, and longer last words of a program, are cut. */
const longestText = 500
const connectMs = 30_000
/** A check waits so long for a program that may be downloaded first. */
const downloadMs = 5 * 60_000
const probeMs = 5_000
/** The first words with which launchers say that there is no program to start. */
const notDownloaded = /^(npm (error|ERR!)|docker:|error:|Error: unable to| {1,2}×) /m

type ConnectOptions = {
  /** Protocol era found by an earlier connection; null: it is found out. */
  era: KnownEra | null
  signal?: AbortSignal | undefined
  /** A person waits for it: a program that is downloaded first gets the time for that. */
  isCheck?: boolean
  onLine?: (line: LogLine) => void
  /** Its list of tools changed. */
  onToolsChanged?: () => void
}

type ToolCall = {
  name: string
  /** As the server defines its parameters: some of them go into headers of the request. */
  inputSchema: Record<string, unknown>
  args: Record<string, unknown>
  timeoutMs: number
  signal: AbortSignal
}

/** An open connection to one server. Everything rejects with ServerError or what an abort says. */
export type McpConnection = {
  facts: ServerFacts
  era: KnownEra
  /** Parameters are also sent in headers where the schema of a tool asks for it. */
  inHeaders: boolean
  /** The definitions as the server sent them; nothing of them is checked. */
  listTools: (signal?: AbortSignal) => Promise<ListedTools>
  /** Calls a tool once. When the tool failed, the result is only the text of why. */
  callTool: (call: ToolCall) => Promise<CalledTool>
  isOpen: () => boolean
  close: () => Promise<void>
}

/**
 * Connects to a server and finds out which era of the protocol it speaks, unless that is known. A known era that does not fit
 * any more is found out again.
 */
export async function connect(
  address: ServerAddress,
  options: ConnectOptions,
): Promise<McpConnection> {
  try {
    return await connectAs(address, options)
  } catch (error) {
    throw options.signal?.aborted ? stopped() : error
  }
}

async function connectAs(address: ServerAddress, options: ConnectOptions): Promise<McpConnection> {
  const { era } = options
  if (era === null) return discover(address, options)
  try {
    return await open(address, options, era)
  } catch (error) {
    if (options.signal?.aborted || !isEraOutdated(error)) throw error
    return discover(address, { ...options, era: null })
  }
}

/** Returns whether a server may speak another era: it answered, but not as it should, or ended. */
function isAboutEra(error: unknown): boolean {
  return error instanceof ServerError && (error.code === 'not-mcp' || error.code === 'ended')
}

/** Returns whether a server may not be of the era any more that it was once found to be of. */
export function isEraOutdated(error: unknown): boolean {
  return isAboutEra(error) || (error instanceof ServerError && error.code === 'refused')
}

/** Asks a server which era it speaks. Some old ones end when they are asked, or answer nothing: they get a second start. */
async function discover(address: ServerAddress, options: ConnectOptions): Promise<McpConnection> {
  try {
    return await open(address, options, null)
  } catch (error) {
    if (options.signal?.aborted || !isAboutEra(error)) throw error
    if (mayDownload(address) && notDownloaded.test((error as ServerError).detail)) throw error
    if (address.type !== 'http') return open(address, options, { type: 'legacy' })
    return openOlder(address, options, error)
  }
}

function mayDownload(address: ServerAddress): boolean {
  return address.type === 'stdio' && downloadsFirst(address.command)
}

/** Servers from before Streamable HTTP refuse its requests. Their own way is tried before the first error is believed. */
async function openOlder(
  address: Extract<ServerAddress, { type: 'http' | 'sse' }>,
  options: ConnectOptions,
  first: unknown,
): Promise<McpConnection> {
  try {
    return await open({ ...address, type: 'sse' }, options, { type: 'legacy' })
  } catch {
    throw first
  }
}

async function open(
  named: ServerAddress,
  options: ConnectOptions,
  era: KnownEra | null,
): Promise<McpConnection> {
  options.signal?.throwIfAborted()
  // Loaded with the first server, because most processes never need it.
  const sdk = await import('@modelcontextprotocol/client')
  const { address, tokens } = rememberTokens(named)
  const scrub = scrubber(address, { tokens })
  const scrubSaid = scrubber(address, { onlyLikely: true, tokens })
  const log = lineLogger(options.onLine, scrub)
  const isPatient = options.isCheck === true && mayDownload(address)
  const link = openLink(sdk, isPatient ? telling(address) : address, log)
  const client = new sdk.Client(
    { name: 'toolgate', title: 'Toolgate', version },
    {
      capabilities: {},
      versionNegotiation: { mode: era === null ? 'auto' : 'legacy', probe: { timeoutMs: probeMs } },
      inputRequired: { autoFulfill: false },
      // Arguments and results are checked by the validator that all tools share.
      jsonSchemaValidator: {
        getValidator: () => (data: unknown) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => options.onToolsChanged?.() },
      },
    },
  )
  client.onerror = (error) => log({ from: 'log', text: error.message })
  let isOpen = true
  client.onclose = () => {
    isOpen = false
    void link.release()
  }
  const lastWords = (text: string) => scrub(cleanText(text)).slice(-longestText)
  const fail = (error: unknown) => {
    const serverError = toServerError(error, link.error())
    if (!(serverError instanceof ServerError)) return serverError
    const detail = lastWords(serverError.detail)
    const answer = errorText(serverError.answer, scrub)
    const { code, message, challenge } = serverError
    return new ServerError(code, scrub(message), detail, answer, scrub(challenge))
  }
  const orServerError = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw signal?.aborted ? stopped() : fail(error)
    }
  }
  // The client itself does not look at the signal while it finds out the era.
  const stop = () => void closeQuietly(client, link)
  options.signal?.addEventListener('abort', stop)
  try {
    await client.connect(link.transport, {
      timeout: isPatient ? downloadMs : connectMs,
      ...(options.signal && { signal: options.signal }),
      ...(era && {
        prior:
          era.type === 'legacy' ? { kind: 'legacy' } : { kind: 'modern', discover: era.discover },
      }),
    })
  } catch (error) {
    const serverError = fail(error)
    const said = lastWords(link.said())
    await closeQuietly(client, link)
    if (!(serverError instanceof ServerError && serverError.code === 'timed-out')) throw serverError
    const time = isPatient ? '5 minutes' : '30 seconds'
    throw new ServerError('timed-out', `The server did not answer within ${time}.`, said)
  } finally {
    options.signal?.removeEventListener('abort', stop)
  }
  return {
    facts: factsOf(client, scrubSaid),
    era: scrubSaid(eraOf(client)),
    inHeaders: address.type !== 'stdio' && eraOf(client).type === 'modern',
    isOpen: () => isOpen,
    listTools: (signal) =>
      orServerError(
        async () => scrubSaid(await listTools(client, { signal, toServerError: fail })),
        signal,
      ),
    callTool: (call) =>
      orServerError(async () => {
        const result = await callTool(client, call)
        if (result.isError !== true) {
          const said = scrubSaid(result)
          const hiddenSecrets = said === result ? 0 : marksIn(said) - marksIn(result)
          // Also where there is none: a server does not say it.
          return { ...said, hiddenSecrets: hiddenSecrets > 0 ? hiddenSecrets : undefined }
        }
        const text = errorText(failureOf(result), scrub)
        return { content: [{ type: 'text', text }], isError: true }
      }),
    close: () => closeQuietly(client, link),
  }
}

/** Has npm write each file that it downloads: otherwise it says nothing before its end. */
function telling(address: ServerAddress): ServerAddress {
  if (address.type !== 'stdio') return address
  return { ...address, environment: { npm_config_loglevel: 'http', ...address.environment } }
}

type Link = {
  transport: Transport
  /** The error that ended the transport; null: it is open or ended without one. */
  error: () => ServerError | null
  /** The last lines of its program's log; "" = none, or it is no program. */
  said: () => string
  release: () => Promise<void>
}

function openLink(
  sdk: typeof import('@modelcontextprotocol/client'),
  address: ServerAddress,
  log: (line: Omit<LogLine, 'at'>) => void,
): Link {
  if (address.type === 'stdio') {
    const child: ChildTransport = new ChildTransport(address, log, (id) =>
      endRequest(id, unreadable()),
    )
    const error = () => (child.isEnded ? child.ended() : null)
    const onError = (found: ServerError) => child.end(found)
    const { transport, endRequest } = guarded(child, { log, onError })
    return { transport, error, said: () => child.lastError, release: () => child.close() }
  }
  let endedBy: ServerError | null = null
  const onError = (found: ServerError) => {
    endedBy ??= found
    void transport.close()
  }
  const { send, unreached, close } = serverFetch(address, onError, (id, why) => endRequest(id, why))
  const url = new URL(address.url)
  const plain =
    address.type === 'sse'
      ? new sdk.SSEClientTransport(url, { fetch: send })
      : new sdk.StreamableHTTPClientTransport(url, { fetch: send })
  const release = async () => void (await close())
  const known = () => endedBy ?? unreached()
  const { transport, endRequest } = guarded(plain, { log, onError })
  return { transport, error: known, said: () => '', release }
}

function lineLogger(onLine: ConnectOptions['onLine'], scrub: (text: string) => string) {
  return ({ from, text }: Omit<LogLine, 'at'>) =>
    onLine?.({ at: Date.now(), from, text: shortened(text, scrub) })
}

/** Cuts a text after its secrets are out, because half a secret would not be found. */
function shortened(text: string, scrub: (text: string) => string): string {
  return scrub(cleanText(text.slice(0, 8 * longestText))).slice(0, longestText)
}

async function closeQuietly(client: Client, link: Link): Promise<void> {
  await client.close().catch(() => undefined)
  await link.release().catch(() => undefined)
}

function factsOf(client: Client, scrub: (text: string) => string): ServerFacts {
  const { name = '', version: own = '' } = client.getServerVersion() ?? {}
  const protocol = client.getNegotiatedProtocolVersion() ?? ''
  const short = (text: string) => scrub(cleanText(text)).slice(0, 200)
  return { name: short(name), version: short(own), protocol: short(protocol) }
}

function eraOf(client: Client): KnownEra {
  const discovered = client.getDiscoverResult()
  return discovered ? { type: 'modern', discover: discovered } : { type: 'legacy' }
}

function stopped(): ServerError {
  return new ServerError('stopped', 'Connecting to the server was stopped.')
}

/** Calls a tool once. Nothing is sent again, whatever the answer is. */
function callTool(client: Client, call: ToolCall): Promise<CallToolResult> {
  const { name, inputSchema, args, timeoutMs, signal } = call
  return client.callTool(
    { name, arguments: args },
    {
      signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs,
      toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } },
    },
  )
}
