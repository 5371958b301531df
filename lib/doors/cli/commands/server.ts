import { type Command, Option } from 'commander'
import { missingOf } from '@/lib/domains/servers/fill-known-server'
import { type Server, servers } from '@/lib/domains/servers/shape'
import { ValidationError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/protocol/clean-text'
import { commandLineOf } from '@/lib/protocol/command-line'
import { factText } from '@/lib/protocol/field-codec'
import { countOf } from '@/lib/protocol/format'
import { DataClass, Effect } from '@/lib/protocol/tool'
import type { CheckLine } from '@/lib/toolset/servers/check'
import type { Decision, ReviewedTool } from '@/lib/toolset/servers/review'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine, printTable } from '../print'
import { resourceCommands } from '../resource-commands'
import { terminal } from '../terminal'
import { addKnownServers, placeOf, requireKnown } from './known-server'

const example = `
  toolgate server add files -- npx -y @modelcontextprotocol/server-filesystem /srv/docs
  toolgate server add tracker --url https://tracker.example.com/mcp --headers-stdin < headers.txt
  toolgate server add notes --known notion --variables-stdin < token.txt
  toolgate server check files
  toolgate server accept files --tool read_file --effect read --data-class content --enable
  toolgate server import mcp.json`

type Options = {
  url?: string
  known?: string
  sse?: boolean
  command?: string
  callSeconds?: string
  privateAddressAllowed?: string
  headersStdin?: boolean
  variablesStdin?: boolean
}

export function addServerCommands(program: Command): void {
  const group = resourceCommands<typeof servers, Options>(program, servers, {
    description: 'MCP servers, whose tools runs may use once a person accepted them',
    example,
    load: async () => (await import('@/lib/domains/servers/verbs')).serverVerbs,
    words: {
      list: 'list the servers',
      show: 'show a server with what it says about itself',
      add: 'add a server by its address, by the command after "--", or as a known one',
      edit: 'change a server; options you leave out keep their value',
      delete: 'delete a server with its secrets and its tools',
    },
    columns: {
      NAME: ({ name }) => name,
      STATE: ({ enabled }) => (enabled ? 'on' : 'off'),
      KIND: ({ kind }) => kind,
      TOOLS: ({ toolCount }) => String(toolCount),
      'TO REVIEW': ({ toReview }) => String(toReview),
      REACHED: reachedText,
    },
    print: ({ kind, url, command: line, saidName, saidVersion, protocol, problems, ...more }) => {
      printLine(`${factText(servers.fields.kind, kind)}: ${url ?? line}`)
      if (saidName) printLine(`It calls itself ${saidName} ${saidVersion}, protocol ${protocol}.`)
      const names = [...more.headerNames, ...more.variableNames]
      if (names.length > 0) printLine(`Secrets: ${names.join(', ')}`)
      for (const problem of problems) printLine(problem)
    },
    own: {
      args: { '[command...]': 'the program and its arguments, after "--"' },
      options: withOptions,
      read: async (_ctx, options, _before, rest) => readOptions(options, rest),
    },
  })
  addKnownServers(group)
  addCheck(group)
  addTools(group)
  addAccept(group)
  addImport(group)
}

function reachedText({ checkedAt, downSince, trouble }: Server): string {
  if (downSince !== null) return `not since ${downSince}: ${trouble}`
  return checkedAt === null ? 'never asked' : checkedAt
}

function withOptions(made: Command, isNew: boolean): Command {
  if (isNew) {
    made
      .option('--known <server>', 'its address or command is that of a known server')
      .option('--sse', 'the address is of the older form (SSE)')
  } else made.option('--command <line>', 'the new command')
  return made
    .option('--url <address>', 'the address of its MCP endpoint')
    .addOption(
      new Option(
        '--private-address-allowed <yes|no>',
        'allow this address in a private network',
      ).choices(['yes', 'no']),
    )
    .option('--call-seconds <number>', 'how long one call may take; a new one has 60')
    .option('--headers-stdin', 'headers from standard input, "Name: value" on each line')
    .option('--variables-stdin', 'variables from standard input, "NAME=value" on each line')
}

async function readOptions(options: Options, words: readonly string[]) {
  const { url, sse, command: line, callSeconds, privateAddressAllowed } = options
  const { readSecret } = await import('../read-input')
  if (options.headersStdin && options.variablesStdin) {
    throw new ValidationError({ '': 'Give headers or variables, not both.' })
  }
  const known = options.known === undefined ? null : requireKnown(options.known)
  const place = known ? placeOf(known, words) : {}
  const asked = words.length > 0 ? commandLineOf(words) : line
  const kind = asked !== undefined && url === undefined ? 'stdio' : sse ? 'sse' : 'http'
  const values = {
    kind,
    ...(url !== undefined && { url }),
    ...(asked !== undefined && { command: asked }),
    ...place,
    ...(callSeconds !== undefined && { callSeconds: Number(callSeconds) }),
    ...(privateAddressAllowed && { privateAddressAllowed: privateAddressAllowed === 'yes' }),
    ...(options.headersStdin && { headers: await readSecret('the headers') }),
    ...(options.variablesStdin && { variables: await readSecret('the variables') }),
  } as const
  const missing = known ? missingOf(known, values) : {}
  if (Object.keys(missing).length > 0) throw new ValidationError(missing)
  return values
}

const one = { '<id>': 'name or id of the server' }

function addCheck(group: Command): void {
  command(group, 'check', {
    alias: 'test',
    description:
      'connect to a server anew and read its tools, with each message as it passes; exit code 1 if that fails',
    args: one,
    work: async ({ ctx, args: [asked = ''], options: { json } }) => {
      const { watchedCheck } = await import('@/lib/toolset/servers/check')
      const { closeServers } = await import('@/lib/toolset/servers/server-pool')
      const stopping = new AbortController()
      const stopListening = terminal().onStop(() => stopping.abort())
      const onLine = ({ from, text: said }: CheckLine) =>
        json || printLine(`${from}: ${visibleText(said)}`)
      const check = watchedCheck({ onLine, signal: stopping.signal })
      const outcome = await check(ctx, { id: asked }).finally(async () => {
        stopListening()
        // What a server says afterwards could not be stored: the database is closed, too.
        if (terminal().isLast) await closeServers()
      })
      const { trouble, tools, toReview, problems } = outcome
      const text = () => {
        for (const problem of problems) printLine(visibleText(problem))
        printLine(trouble ?? `It has ${countOf(tools, 'tool')}, ${toReview} of them to review.`)
      }
      const ended = trouble === null ? exitCodes.ok : exitCodes.failed
      const exitCode = stopping.signal.aborted ? exitCodes.interrupted : ended
      return { json: outcome, text, exitCode }
    },
  })
}

function addTools(group: Command): void {
  command(group, 'tools', {
    description: 'list the tools of a server with what was accepted and what waits for review',
    args: one,
    work: async ({ ctx, args: [asked = ''] }) => {
      const { reviewTools } = await import('@/lib/toolset/servers/review')
      const { readConcerns } = await import('@/lib/toolset/servers/concerns')
      const { configurations, tools: concerns } = await readConcerns(ctx, { id: asked })
      const byName = new Map(concerns.map((each) => [each.name, each]))
      const tools = (await reviewTools(ctx, { id: asked })).map((tool) => {
        const { skills = [], rules = [] } = byName.get(tool.name) ?? {}
        return { ...tool, configurations, skills, rules }
      })
      return { json: tools, text: () => printTools(tools, concernWords) }
    },
  })
}

type Concerned = Record<'configurations' | 'skills' | 'rules', readonly unknown[]> & {
  calls: number
}

function concernWords({ configurations, skills, rules, calls }: Concerned): string {
  const counts = [
    countOf(configurations.length, 'configuration'),
    countOf(skills.length, 'skill'),
    countOf(rules.length, 'rule'),
    countOf(calls, 'call'),
  ]
  return counts.join(', ')
}

/** Prints tools; `concernsOf` says in words what a tool concerns. */
function printTools<T extends ReviewedTool>(
  tools: readonly T[],
  concernsOf?: (tool: T) => string,
): void {
  printTable(
    [
      'NAME',
      'REVIEW',
      'STATE',
      'EFFECT',
      'DATA CLASS',
      'WHO',
      ...(concernsOf ? ['CONCERNS'] : []),
      'NOTES',
    ],
    tools.map((tool) => [
      tool.name,
      tool.state,
      tool.enabled ? 'on' : 'off',
      tool.effect,
      tool.dataClass,
      tool.requiresAdmin ? 'admins' : 'all',
      ...(concernsOf ? [concernsOf(tool)] : []),
      [tool.problem, ...tool.hints].filter(Boolean).join(' '),
    ]),
  )
}

type Accepting = {
  tool?: string[]
  effect?: string
  dataClass?: string
  members?: boolean
  enable?: boolean
}

function addAccept(group: Command): void {
  command<Accepting>(group, 'accept', {
    description: 'accept tools of a server as it defines them now, and say what they are',
    args: one,
    reason: true,
    options: (made) =>
      made
        .option('--tool <name...>', 'only these, by their name here or on the server')
        .addOption(new Option('--effect <effect>', 'what they do').choices(Effect.options))
        .addOption(
          new Option('--data-class <class>', 'what they return').choices(DataClass.options),
        )
        .option('--members', 'members may use them, too')
        .option('--enable', 'switch them on'),
    work: async ({ ctx, args: [asked = ''], options }) => {
      const { acceptTools, reviewTools } = await import('@/lib/toolset/servers/review')
      const tools = picked(await reviewTools(ctx, { id: asked }), options.tool)
      const decisions = tools.map((tool) => decisionOf(tool, options))
      await acceptTools(ctx, { id: asked, tools: decisions, reason: options.reason })
      const after = picked(await reviewTools(ctx, { id: asked }), options.tool)
      return { json: after, text: () => printTools(after) }
    },
  })
}

/** Throws ValidationError for a name that no tool of the server has. */
function picked(tools: readonly ReviewedTool[], names: readonly string[] | undefined) {
  const offered = tools.filter(({ state }) => state !== 'gone')
  if (!names) return offered
  return names.map((name) => {
    const found = offered.find((tool) => tool.name === name || tool.remoteName === name)
    if (found) return found
    throw new ValidationError({ tool: `This server has no tool named ${name.slice(0, 100)}.` })
  })
}

function decisionOf(
  tool: ReviewedTool,
  { effect, dataClass, members, enable }: Accepting,
): Decision {
  const { name, hash, description } = tool
  return {
    name,
    hash,
    description,
    effect: effect === undefined ? tool.effect : Effect.parse(effect),
    dataClass: dataClass === undefined ? tool.dataClass : DataClass.parse(dataClass),
    requiresAdmin: members ? false : tool.requiresAdmin,
    ...(enable && { enabled: true }),
  }
}

function addImport(group: Command): void {
  command(group, 'import', {
    description: 'add the servers of an mcp.json of Claude Desktop, Cursor or VS Code',
    args: { '<file>': 'the file, or "-" for standard input' },
    reason: true,
    work: async ({ ctx, args: [file = ''], options: { reason } }) => {
      const { readFileOrInput } = await import('../read-input')
      const { addConfigured } = await import('@/lib/domains/servers/import')
      const text = (await readFileOrInput(file, 1024 * 1024)).toString('utf8')
      const results = await addConfigured(ctx, { text, reason })
      const failed = results.some(({ problem }) => problem !== null)
      return {
        json: results,
        text: results.map(({ name, problem }) => `${name}: ${problem ?? 'added'}`).join('\n'),
        exitCode: failed ? exitCodes.failed : exitCodes.ok,
      }
    },
  })
}
