import { type Command, Option } from 'commander'
import { foundTools, type Server, ServerAccount, servers } from '@/lib/domains/servers/shape'
import { missingOf } from '@/lib/domains/servers/shared/fill-known-server'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { factText } from '@/lib/shape/field-codec'
import type { CheckLine } from '@/lib/toolset/servers/check'
import { visibleText } from '@/lib/words/clean-text'
import { commandLineOf } from '@/lib/words/command-line'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine } from '../print'
import { commandSpec, oneOf } from '../resource-commands'
import { terminal } from '../terminal'
import { addKnownServers, placeOf, requireKnown } from './known-server'
import { addServerAccounts } from './server-accounts'
import { addServerTools } from './server-tools'

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
  cwd?: string
  callSeconds?: string
  privateAddressAllowed?: string
  headersStdin?: boolean
  variablesStdin?: boolean
  account?: ServerAccount
  clientId?: string
  clientSecretStdin?: boolean
  check?: boolean
  disabled?: boolean
  json?: boolean
}

export const serverCommands = commandSpec<typeof servers, Options>(servers, {
  example,
  confirms: ['edit'],
  words: {
    show: 'show a server with what it says about itself',
    add: 'add a server by its address, by the command after "--", or as a known one',
    delete: 'delete a server with its secrets and its tools',
  },
  columns: {
    KIND: ({ kind }) => kind,
    TOOLS: ({ toolCount }) => String(toolCount),
    'TO REVIEW': ({ toReview }) => String(toReview),
    REACHED: reachedText,
  },
  print: ({
    kind,
    url,
    command: line,
    cwd,
    saidName,
    saidVersion,
    protocol,
    problems,
    ...more
  }) => {
    printLine(`${factText(servers.fields.kind, kind)}: ${url ?? line}`)
    if (cwd !== null) printLine(`It works in ${cwd}.`)
    if (saidName) printLine(`It calls itself ${saidName} ${saidVersion}, protocol ${protocol}.`)
    const names = [...more.headerNames, ...more.variableNames]
    if (names.length > 0) printLine(`Secrets: ${names.join(', ')}`)
    for (const problem of problems) printLine(problem)
  },
  own: {
    args: { '[command...]': 'the program and its arguments, after "--"' },
    options: withOptions,
    read: async (_ctx, options, before, rest) => readOptions(options, rest, before === null),
    added: async (ctx, id, { check, disabled }, isJson) => {
      if (check === false || disabled) return () => undefined
      return (await checkOne(ctx, id, isJson)).text
    },
  },
  further: addFurther,
})

function addFurther(group: Command): void {
  addKnownServers(group)
  addCheck(group)
  addServerTools(group)
  addServerAccounts(group)
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
      .option('--no-check', 'do not connect to it now')
  } else made.option('--command <line>', 'the new command')
  return made
    .option('--url <address>', 'the address of its MCP endpoint')
    .addOption(
      new Option(
        '--private-address-allowed <yes|no>',
        'allow this address in a private network',
      ).choices(['yes', 'no']),
    )
    .option('--cwd <folder>', 'the folder in which its program works; "" for that of Toolgate')
    .option('--call-seconds <number>', 'how long one call may take; a new one has 60')
    .addOption(
      new Option(
        '--account <whose>',
        'the account that it is used with; "client" is a client ID and secret',
      ).choices(ServerAccount.options),
    )
    .option('--client-id <id>', 'the client that was registered at its service; "" for none')
    .option('--client-secret-stdin', 'the secret of that client from standard input')
    .option('--headers-stdin', 'headers from standard input, "Name: value" on each line')
    .option('--variables-stdin', 'variables from standard input, "NAME=value" on each line')
}

async function readOptions(options: Options, words: readonly string[], isNew: boolean) {
  const { url, sse, command: givenCommand, cwd, callSeconds, privateAddressAllowed } = options
  const { readSecret } = await import('@/lib/doors/cli/input/read-input')
  const { headersStdin, variablesStdin, clientSecretStdin, account, clientId } = options
  if ([headersStdin, variablesStdin, clientSecretStdin].filter(Boolean).length > 1) {
    const words =
      'Give one of headers, variables and the client secret: there is one standard input.'
    throw new ValidationError({ '': words })
  }
  const known = options.known === undefined ? null : requireKnown(options.known)
  const place = known ? placeOf(known, words, options) : {}
  const command = words.length > 0 ? commandLineOf(words) : givenCommand
  const kind = command !== undefined && url === undefined ? 'stdio' : sse ? 'sse' : 'http'
  const values = {
    kind,
    ...(url !== undefined && { url }),
    ...(command !== undefined && { command }),
    ...place,
    ...(cwd !== undefined && { cwd: cwd || null }),
    ...(callSeconds !== undefined && { callSeconds: Number(callSeconds) }),
    ...(privateAddressAllowed && { privateAddressAllowed: privateAddressAllowed === 'yes' }),
    ...(account && { account }),
    ...(clientId !== undefined && { clientId: clientId || null }),
    ...(clientSecretStdin && { clientSecret: await readSecret('the client secret') }),
    ...(headersStdin && { headers: await readSecret('the headers') }),
    ...(variablesStdin && { variables: await readSecret('the variables') }),
  } as const
  const missing = known ? missingOf(known, values) : {}
  if (Object.keys(missing).length > 0) throw new ValidationError(missing)
  if (isNew) return values
  const { kind: _, ...changes } = values
  return changes
}

const one = oneOf(servers)

function addCheck(group: Command): void {
  command(group, 'check', {
    alias: 'test',
    description:
      'connect to a server anew and read its tools, with each message as it passes; exit code 1 if that fails',
    args: one,
    work: async ({ ctx, args: [nameOrId = ''], isJson }) => checkOne(ctx, nameOrId, isJson),
  })
}

/** Connects to a server, prints each message unless `isJson`, and returns what came of it. */
async function checkOne(ctx: Ctx, id: string, isJson: boolean) {
  const { watchedCheck } = await import('@/lib/toolset/servers/check')
  const { closeServers } = await import('@/lib/toolset/servers/server-pool')
  const stopping = new AbortController()
  const stopListening = terminal().onStop(() => stopping.abort())
  const onLine = ({ from, text: said }: CheckLine) =>
    isJson || printLine(`${from}: ${visibleText(said)}`)
  const check = watchedCheck({ onLine, signal: stopping.signal })
  const outcome = await check(ctx, { id }).finally(async () => {
    stopListening()
    // A later message of a server could not be stored, because the database is closed, too.
    if (terminal().isLast) await closeServers()
  })
  const { trouble, problems } = outcome
  const text = () => {
    for (const problem of problems) printLine(visibleText(problem))
    printLine(trouble ?? foundTools(outcome))
  }
  const ended = trouble === null ? exitCodes.ok : exitCodes.failed
  const exitCode = stopping.signal.aborted ? exitCodes.interrupted : ended
  return { json: outcome, text, exitCode }
}

function addImport(group: Command): void {
  command(group, 'import', {
    description: 'add the servers of an mcp.json of Claude Desktop, Cursor or VS Code',
    args: { '<file>': 'the file, or "-" for standard input' },
    reason: true,
    work: async ({ ctx, args: [file = ''], options: { reason } }) => {
      const { readFileOrInput } = await import('@/lib/doors/cli/input/read-input')
      const { addConfigured } = await import('@/lib/domains/servers/import')
      const text = (await readFileOrInput(file, 1024 * 1024)).toString('utf8')
      const results = await addConfigured(ctx, { text, reason })
      const failed = results.some(({ problem }) => problem !== null)
      return {
        json: results,
        text: results
          .map(({ name, problem, notes }) => [`${name}: ${problem ?? 'added'}`, ...notes].join(' '))
          .join('\n'),
        exitCode: failed ? exitCodes.failed : exitCodes.ok,
      }
    },
  })
}
