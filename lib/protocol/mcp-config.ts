import { z } from 'zod'
import { commandLineOf } from './command-line'

/** A server as a configuration file of another program describes it. `problem`: why it cannot be added as it is. */
export type ConfiguredServer = {
  name: string
  kind: 'http' | 'sse' | 'stdio'
  url: string | null
  headers: string | null
  command: string | null
  variables: string | null
  problem: string | null
}

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Entry = z.looseObject({
  type: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  headers: z.record(z.string(), Text).optional(),
  command: z.string().optional(),
  args: z.array(Text).optional(),
  env: z.record(z.string(), Text).optional(),
  envFile: z.string().optional(),
})
const Entries = z.record(z.string(), Entry)
/** `mcpServers` is what Claude Desktop and Cursor write, `servers` what VS Code does. */
const Config = z.union([
  z.looseObject({ mcpServers: Entries }).transform(({ mcpServers }) => mcpServers),
  z.looseObject({ servers: Entries }).transform(({ servers }) => servers),
  z.looseObject({ mcp: z.looseObject({ servers: Entries }) }).transform(({ mcp }) => mcp.servers),
])

/**
 * Reads an `mcp.json` of Claude Desktop, Cursor or VS Code; comments and commas at ends are accepted. Returns its servers, or
 * the sentence that says why there are none.
 */
export function readMcpConfig(text: string): ConfiguredServer[] | string {
  let json: unknown
  try {
    json = JSON.parse(withoutComments(text))
  } catch {
    return 'This is not JSON. Paste the whole file, from its first brace to its last.'
  }
  const { success, data } = Config.safeParse(json)
  if (!success) return 'There are no servers in it: it needs "mcpServers" or "servers".'
  const taken = new Set<string>()
  const found = Object.entries(data).map(([name, entry]) => {
    const server = configuredServer(name, entry)
    const plain = freeName(server.name, taken)
    taken.add(plain)
    return { ...server, name: plain }
  })
  return found.length === 0 ? 'There are no servers in it.' : found
}

function configuredServer(called: string, entry: z.output<typeof Entry>): ConfiguredServer {
  const { command, args = [], env = {}, headers = {}, envFile } = entry
  const url = entry.url ?? entry.serverUrl ?? null
  const missing = placeholdersIn(JSON.stringify([url, command, args, env, headers]))
  const nothing = { url: null, headers: null, command: null, variables: null }
  const name = serverName(called)
  const problem =
    missing.length > 0
      ? `It needs values for ${missing.join(', ')}. Write them into the text.`
      : envFile !== undefined
        ? 'It takes variables from a file. Write them into "env".'
        : null
  if (command !== undefined) {
    const variables = linesOf(env, '=')
    const line = commandLineOf([command, ...args])
    return { ...nothing, name, kind: 'stdio', command: line, variables, problem }
  }
  const kind = entry.type === 'sse' ? 'sse' : 'http'
  const noAddress = 'It has neither an address nor a command.'
  return {
    ...nothing,
    name,
    kind,
    url,
    headers: linesOf(headers, ': '),
    problem: url === null ? noAddress : problem,
  }
}

function linesOf(pairs: Record<string, string>, separator: string): string | null {
  const lines = Object.entries(pairs).map(([name, value]) => `${name}${separator}${value}`)
  return lines.length === 0 ? null : lines.join('\n')
}

/** Returns `${input:token}` and the like, each once: the other program asks a person, or knows them. */
function placeholdersIn(text: string): string[] {
  return [...new Set(text.match(/\$\{[^}]{1,100}\}/g) ?? [])]
}

const longestName = 24

/** Returns a name that a server of this site can have. */
export function serverName(called: string): string {
  const plain = called
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, longestName)
    .replace(/-+$/, '')
  return plain || 'server'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) {
    const end = `-${number}`
    const free = `${name.slice(0, longestName - end.length)}${end}`
    if (!taken.has(free)) return free
  }
}

/** Returns JSON without the comments and last commas that editors accept. Texts stay as they are. */
function withoutComments(text: string): string {
  return text
    .replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
      part[0] === '"' ? part : ' ',
    )
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part[0] === '"' ? part : ''))
}
