import { z } from 'zod'
import { commandLineOf } from '@/lib/words/command-line'

/**
 * A server as a configuration file of another program describes it. `problem`: why it cannot be added as it is. `secrets`: the
 * names of what goes into the vault; `notes`: sentences about what is taken over in another way, or not.
 */
export type ConfiguredServer = {
  name: string
  kind: 'http' | 'sse' | 'stdio'
  url: string | null
  headers: string | null
  command: string | null
  cwd: string | null
  variables: string | null
  enabled: boolean
  includeTools: string[]
  excludeTools: string[]
  secrets: string[]
  notes: string[]
  problem: string | null
}

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Names = z.array(z.string())
/** Types as other programs write them. */
const Type = z.enum([
  'stdio',
  'http',
  'sse',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
])
const Entry = z.strictObject({
  type: Type.optional(),
  transport: Type.optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: z.record(z.string(), Text).optional(),
  command: z.union([z.string(), z.array(Text).min(1)]).optional(),
  args: z.array(Text).optional(),
  env: z.record(z.string(), Text).optional(),
  envFile: z.string().optional(),
  cwd: z.string().optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  includeTools: Names.optional(),
  excludeTools: Names.optional(),
})
type Entry = z.output<typeof Entry>
const known: ReadonlySet<string> = new Set(Object.keys(Entry.shape))

const AnyObject = z.record(z.string(), z.unknown())

/** Returns the servers of a file: `mcpServers` is what Claude Desktop and Cursor write, `servers` what VS Code does. */
function entriesOf(json: unknown): Record<string, unknown> | null {
  const { mcpServers, servers, mcp } = AnyObject.safeParse(json).data ?? {}
  const inner = AnyObject.safeParse(mcp).data?.servers
  return AnyObject.safeParse(mcpServers ?? servers ?? inner).data ?? null
}

/**
 * Reads an `mcp.json` of Claude Desktop, Cursor or VS Code; comments and commas at ends are accepted. Returns its servers, each
 * read by itself, or the sentence that says why there are none.
 */
export function readMcpConfig(text: string): ConfiguredServer[] | string {
  let json: unknown
  try {
    json = JSON.parse(withoutComments(text.replace(/^\uFEFF/, '')))
  } catch {
    return 'This is not JSON. Paste the whole file, from its first brace to its last.'
  }
  const entries = entriesOf(json)
  if (entries === null) return 'There are no servers in it: it needs "mcpServers" or "servers".'
  const taken = new Set<string>()
  const found = Object.entries(entries).map(([called, sent]) => {
    const name = freeName(serverName(called), taken)
    taken.add(name)
    return configuredServer(name, sent)
  })
  return found.length === 0 ? 'There are no servers in it.' : found
}

const nothing = { url: null, headers: null, command: null, cwd: null, variables: null }
const plain = { enabled: true, includeTools: [], excludeTools: [], secrets: [], notes: [] }

function configuredServer(name: string, sent: unknown): ConfiguredServer {
  const members = Object.entries(AnyObject.safeParse(sent).data ?? {})
  // Other programs write null for what is not set.
  const set = members.filter(([member, value]) => known.has(member) && value !== null)
  const unknown = members.filter(([member]) => !known.has(member)).map(([member]) => member)
  const { success, data: entry, error } = Entry.safeParse(Object.fromEntries(set))
  const isObject = AnyObject.safeParse(sent).success
  if (!success || !isObject) {
    const where = error?.issues[0]?.path.join('.')
    const problem = isObject ? `Its "${where}" cannot be read.` : 'It is no object.'
    return { ...nothing, ...plain, name, kind: 'http', problem }
  }
  const { env = {}, headers = {}, disabled, enabled, includeTools = [], excludeTools = [] } = entry
  const isProgram = entry.command !== undefined
  const isOff = disabled === true || enabled === false
  const [program, ...first] = [entry.command ?? []].flat()
  const line = program === undefined ? null : [program, ...first, ...(entry.args ?? [])]
  const url = entry.httpUrl ?? entry.url ?? entry.serverUrl ?? null
  const notes = [
    unknown.length > 0 && `Not taken over: ${unknown.join(', ')}.`,
    isOff && 'It is added switched off.',
    includeTools.length > 0 && `Ticked in its review: ${includeTools.join(', ')}.`,
    excludeTools.length > 0 && `Not ticked in its review: ${excludeTools.join(', ')}.`,
  ]
  return {
    ...nothing,
    name,
    kind: isProgram ? 'stdio' : [entry.type, entry.transport].includes('sse') ? 'sse' : 'http',
    ...(line
      ? { command: commandLineOf(line), cwd: entry.cwd ?? null, variables: linesOf(env, '=') }
      : { url, headers: linesOf(headers, ': ') }),
    enabled: !isOff,
    includeTools,
    excludeTools,
    secrets: Object.keys(line ? env : headers),
    notes: notes.filter((note) => note !== false),
    problem: problemOf(entry, url),
  }
}

function problemOf(entry: Entry, url: string | null): string | null {
  const { command, args, cwd, env = {}, headers = {}, envFile } = entry
  const broken = Object.entries({ ...env, ...headers }).find(([, value]) => /[\r\n]/.test(value))
  const missing = placeholdersIn([
    url,
    command,
    args,
    cwd,
    Object.values(env),
    Object.values(headers),
  ])
  const sentences = [
    command === undefined && url === null && 'It has neither an address nor a command.',
    command !== undefined && url !== null && 'It has an address and a command. Remove one.',
    command === undefined && cwd !== undefined && 'It has a working folder and no command.',
    command === undefined && Object.keys(env).length > 0 && 'It has variables and no command.',
    url === null && Object.keys(headers).length > 0 && 'It has headers and no address.',
    missing.length > 0 && `It needs values for ${missing.join(', ')}. Write them into the text.`,
    envFile !== undefined && 'It takes variables from a file. Write them into "env".',
    broken && `The value of ${broken[0]} has a line break, which cannot be kept.`,
  ]
  return sentences.find((sentence) => typeof sentence === 'string') ?? null
}

function linesOf(pairs: Record<string, string>, separator: string): string | null {
  const lines = Object.entries(pairs).map(([name, value]) => `${name}${separator}${value}`)
  return lines.length === 0 ? null : lines.join('\n')
}

/** Texts that stand for a value: `${input:token}`, which the other program asks for, and what examples write. */
const placeholder = new RegExp(
  [
    /\$\{[^}]{1,100}\}/,
    /<[a-z][\w -]{1,60}>/,
    /\byour[-_ ]?(?:[a-z0-9]+[-_ ]){0,4}(?:api|key|token|secret|password|pat|id|url|host|user(?:name)?)(?:[-_ ]here)?\b/,
    /\/(?:absolute\/)?path\/to\/[^\s"']*/,
    /^(?:bearer )?(?:x{3,}|\*{3,}|\.{3}|…|change[-_ ]?me|replace[-_ ]?me|todo)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

function placeholdersIn(values: readonly unknown[]): string[] {
  const texts = values.flat(2).filter((value) => typeof value === 'string')
  return [...new Set(texts.flatMap((text) => text.match(placeholder) ?? []))]
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
