import type { Command } from 'commander'
import { ruleActionWords } from '@/lib/domains/approvals/shape'
import { wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import type { EndedCall } from '@/lib/runs/lists/tool-calls'
import type { TriedTool } from '@/lib/runs/start/try-tool'
import type { ToolGroupListing, ToolListing } from '@/lib/toolset/tools/tool-listing'
import { escapeInvisible, visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printLine, printTable } from '../print'

const verbs = () => import('@/lib/toolset/tools/tool-verbs')

type ReasonOption = { reason?: string }
type LimitOptions = { perMinute?: number | false; perRun?: number | false; reason?: string }
type ExplainOptions = { user?: string; key?: string; configuration?: string; task?: string }

export function addToolCommands(program: Command): void {
  const tools = program.command('tools').description('list tools and switch them on or off')
  command(tools, 'list', {
    description: 'list every tool and whether it is on',
    work: async ({ ctx }) => {
      const all = await (await verbs()).listTools(ctx, {})
      return { json: all, text: () => printTools(all) }
    },
  })
  command(tools, 'show', {
    description: 'show one tool, its parameters and its newest calls',
    args: { '<name>': 'name of the tool' },
    work: async ({ ctx, args: [name = ''] }) => {
      const { listToolCalls } = await import('@/lib/runs/lists/tool-calls')
      const tool = await (await verbs()).showTool(ctx, { name })
      const calls = await listToolCalls(ctx, { name: tool.name })
      return { json: { ...tool, calls }, text: () => printTool(tool, calls) }
    },
  })
  for (const [name, enabled, help] of [
    ['enable', true, 'reason; required for a tool that shows raw data'],
    ['disable', false, 'reason'],
  ] as const) {
    command<ReasonOption>(tools, name, {
      description: `switch a tool ${enabled ? 'on' : 'off'}, also for active runs`,
      args: { '<name>': 'name of the tool' },
      confirms: 'cases',
      options: (made) => made.option('--reason <text>', help),
      work: async ({ ctx, args: [tool = ''], options: { reason } }) =>
        resultOf(await (await verbs()).switchTool(ctx, { name: tool, enabled, reason })),
    })
  }
  command(tools, 'reset', {
    description: 'set a tool back to its default',
    args: { '<name>': 'name of the tool' },
    confirms: 'cases',
    work: async ({ ctx, args: [name = ''] }) =>
      resultOf(await (await verbs()).resetTool(ctx, { name })),
  })
  for (const [name, asks, help, description] of [
    ['ask', true, 'reason', 'let every call of a tool wait for approval, also in active runs'],
    [
      'no-ask',
      false,
      'reason; required for a tool that writes',
      'let calls of a tool start without approval, unless a rule asks',
    ],
  ] as const) {
    command<ReasonOption>(tools, name, {
      description,
      args: { '<name>': 'name of the tool' },
      confirms: asks,
      options: (made) => made.option('--reason <text>', help),
      work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
        const tool = await (await verbs()).setApproval(ctx, { name: nameOrId, asks, reason })
        return { json: tool, text: `${tool.name}: ${waitWords(tool)}` }
      },
    })
  }
  command<LimitOptions>(tools, 'limit', {
    description: 'limit how often a tool may be called; limits you leave out stay',
    args: { '<name>': 'name of the tool' },
    options: (made) =>
      made
        .option('--per-minute <number>', 'calls a minute, for all runs', wholeNumber(1, 1_000))
        .option('--no-per-minute', 'any number of calls a minute')
        .option('--per-run <number>', 'calls in one run', wholeNumber(1, 1_000))
        .option('--no-per-run', 'any number of calls in one run')
        .option('--reason <text>', 'reason'),
    work: async ({ ctx, args: [name = ''], options: { perMinute, perRun, reason } }) => {
      const { limitTool } = await verbs()
      const limits = { perMinute: limitFrom(perMinute), perRun: limitFrom(perRun) }
      const tool = await limitTool(ctx, { name, ...limits, reason })
      return { json: tool, text: `${tool.name}: ${limitWords(tool.limit)}.` }
    },
  })
  addCallCommand(tools)
  addGroupCommands(tools.command('group').description('switch whole groups of tools'))
  command<ExplainOptions>(tools, 'explain', {
    description: 'show for each tool whether it may run, or the first gate that denies it',
    options: (made) =>
      made
        .option(
          '--user <email>',
          'person who starts the run (default: the account the command acts for)',
        )
        .option('--key <id>', 'API key that starts the run; its owner is who runs it')
        .option('--configuration <name>', 'configuration of the run (identifier or id)')
        .option('--task <name>', 'task of the run (identifier or id)'),
    work: ({ ctx, options }) => explain(ctx, options),
  })
}

type CallOptions = { args: string; user?: string; configuration?: string; dryRun?: boolean }

function addCallCommand(tools: Command): void {
  command<CallOptions>(tools, 'call', {
    description:
      'call a tool once, in a run that asks no provider; with --dry-run, show what the call would meet',
    args: { '<name>': 'name of the tool' },
    options: (made) =>
      made
        .option('--args <json>', 'the arguments, one JSON object', '{}')
        .option('--configuration <name>', 'configuration of the run (identifier or id)')
        .option('--user <email>', 'whose call it would be; only with --dry-run')
        .option('--dry-run', 'call nothing'),
    work: async ({ ctx, args: [name = ''], options, isJson: json }) => {
      const { tryTool } = await import('@/lib/runs/start/try-tool')
      const { followToEnd, withEngine } = await import('@/lib/doors/cli/runs/run-and-follow')
      const { args, configuration = null, user = null, dryRun = false } = options
      const input = { name, arguments: args, configuration, user, dryRun }
      return withEngine(async () => {
        const tried = await tryTool(ctx, input)
        const exitCode = tried.runId === null ? 0 : await followToEnd(ctx, tried.runId, { json })
        return {
          json: tried,
          text: () => printTried(tried),
          exitCode: isFine(tried) ? exitCode : 1,
        }
      })
    },
  })
}

/** Returns whether a call would begin, or wait for a person. */
function isFine({ verdict, issues, rules }: TriedTool): boolean {
  return verdict.allowed && issues.length === 0 && rules.every(({ action }) => action !== 'deny')
}

function printTried({ name, issues, sent, decision, rules, runId }: TriedTool): void {
  printLine(`${name}: ${decision}`)
  for (const issue of issues) printLine(`Arguments: ${visibleText(issue)}`)
  if (issues.length === 0) printLine(`Arguments: ${escapeInvisible(JSON.stringify(sent))}`)
  for (const { id, name: rule, action } of rules)
    printLine(
      id === null ? `${rule}.` : `The rule "${rule}" matches: the call ${ruleActionWords[action]}.`,
    )
  if (runId !== null) printLine(`Run ${runId}`)
}

function addGroupCommands(group: Command): void {
  command(group, 'list', {
    description: 'list the groups and whether they are on',
    work: async ({ ctx }) => {
      const groups = await (await verbs()).listToolGroups(ctx, {})
      return { json: groups, text: () => printGroups(groups) }
    },
  })
  for (const [name, enabled, help, description] of [
    ['on', true, 'reason', 'switch a group on; its tools follow their own switches again'],
    [
      'off',
      false,
      'reason (required); everybody sees it',
      'switch a group off, with all its tools',
    ],
  ] as const) {
    command<ReasonOption>(group, name, {
      description,
      args: { '<name>': 'name of the group' },
      confirms: 'cases',
      options: (made) => made.option('--reason <text>', help),
      work: async ({ ctx, args: [nameOrId = ''], options: { reason } }) => {
        const { switchToolGroup } = await verbs()
        const after = await switchToolGroup(ctx, { name: nameOrId, enabled, reason })
        const text = after.enabled
          ? `The group ${after.name} is on. Its tools follow their own switches.`
          : `The group ${after.name} is off, and so are all its tools (${after.tools}).`
        return { json: after, text }
      },
    })
  }
}

/** Returns the limit of an option; null = none any more, undefined = it was not given. */
function limitFrom(given: number | false | undefined): number | null | undefined {
  return given === false ? null : given
}

function resultOf(tool: ToolListing) {
  const why = tool.source === 'default' ? ' (its default)' : ''
  const text = () => {
    printLine(`${tool.name} is ${tool.enabled ? 'on' : 'off'}${why}.`)
    if (tool.unavailable !== null) printLine(tool.unavailable)
  }
  return { json: tool, text }
}

function printTools(tools: readonly ToolListing[]): void {
  printTable(
    ['NAME', 'GROUP', 'STATE', 'BY', 'EFFECT', 'APPROVAL', 'DATA', 'TOKENS'],
    tools.map((tool) => [
      tool.name,
      tool.group,
      stateOf(tool),
      tool.override?.changedByLabel ?? 'default',
      tool.effect,
      tool.asksApproval ? 'waits' : '',
      tool.dataClass,
      String(tool.schemaTokens),
    ]),
  )
}

/** Returns a limit of calls: "at most 10 calls a minute and 3 calls a run"; undefined = there is none. */
function limitWords(
  limit: { perMinute: number | null; perRun: number | null } | undefined,
): string {
  const { perMinute = null, perRun = null } = limit ?? {}
  const parts = [
    ...(perMinute === null ? [] : [`${countOf(perMinute, 'call')} a minute`]),
    ...(perRun === null ? [] : [`${countOf(perRun, 'call')} a run`]),
  ]
  return parts.length === 0 ? 'no limit' : `at most ${parts.join(' and ')}`
}

function printTool(tool: ToolListing, calls: readonly EndedCall[]): void {
  printLine(`${tool.name} (${tool.group}) is ${stateOf(tool)}. ${waitWords(tool)}`)
  if (tool.limit) printLine(`Limit: ${limitWords(tool.limit)}.`)
  // A server may define a tool that nobody accepted, and its text reaches a terminal here.
  printLine(visibleText(tool.unavailable ?? tool.description).replaceAll('\n', '\n  '))
  printLine(escapeInvisible(JSON.stringify(tool.parameters, null, 2)))
  printTable(
    ['CALL', 'OUTCOME', 'MS', 'BY', 'ARGUMENTS'],
    calls.map(({ at, outcome, durationMs, by, argumentsText, isEdited }) => [
      at,
      outcome,
      String(durationMs),
      by,
      `${isEdited ? '(edited) ' : ''}${cutLine(argumentsText ?? '')}`,
    ]),
  )
}

function waitWords({ asksApproval }: ToolListing): string {
  return asksApproval ? 'Each call waits for approval.' : 'Its calls wait only where a rule asks.'
}

function stateOf({ unavailable, enabled }: ToolListing): string {
  if (unavailable !== null) return 'not available'
  return enabled ? 'on' : 'off'
}

function printGroups(groups: readonly ToolGroupListing[]): void {
  printTable(
    ['GROUP', 'STATE', 'BY', 'TOOLS ON', 'REASON'],
    groups.map(({ name, enabled, off, tools, on }) => [
      name,
      enabled ? 'on' : 'off',
      off?.changedByLabel ?? '',
      `${on} of ${tools}`,
      off?.reason ?? '',
    ]),
  )
}

/** Tells for each tool whether this person may use it with this configuration and task, and the rule that its calls wait for. */
async function explain(ctx: Ctx, { user, ...place }: ExplainOptions) {
  const { key: apiKeyId = null, configuration = null, task = null } = place
  const { explainTools, toVerdictLines } = await import('@/lib/toolset/policy/explain-tools')
  const { noteWords } = await import('@/lib/engines/runtime/policy/approval-note')
  const { findUser } = await import('@/lib/domains/users/reads')
  const own = user === undefined || user === ctx.actor.email
  const userId = own ? null : (await findUser(ctx, user)).id
  const tools = await explainTools(ctx, { userId, apiKeyId, configuration, task, selected: null })
  const lines = toVerdictLines(tools)
  const notes = new Map(tools.map(({ name, approval }) => [name, noteWords(approval)]))
  const rows = lines.map(({ name, decision }) => [
    name,
    [decision, notes.get(name)].filter(Boolean).join(' '),
  ])
  return { json: lines, text: () => printTable(['TOOL', 'DECISION'], rows) }
}
