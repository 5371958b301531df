import { type Command, Option } from 'commander'
import { type RemoteLook, readLookArguments } from '@/lib/domains/servers/shared/remote-look'
import { ValidationError } from '@/lib/kernel/errors'
import { DataClass, Effect } from '@/lib/protocol/tool'
import type { Decision } from '@/lib/toolset/servers/accept-tools'
import type { ReviewedTool } from '@/lib/toolset/servers/review'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { printLine, printTable } from '../print'

const one = { '<id>': 'name or id of the server' }

/** Adds the commands that show the tools of a server and accept them. */
export function addServerTools(group: Command): void {
  addTools(group)
  addAccept(group)
}

function addTools(group: Command): void {
  command(group, 'tools', {
    description: 'list the tools of a server with what was accepted and what waits for review',
    args: one,
    work: async ({ ctx, args: [nameOrId = ''] }) => {
      const { reviewTools } = await import('@/lib/toolset/servers/review')
      const { readConcerns } = await import('@/lib/toolset/servers/concerns')
      const { configurations: ofGroup, tools: concerns } = await readConcerns(ctx, { id: nameOrId })
      const byName = new Map(concerns.map((each) => [each.name, each]))
      const tools = (await reviewTools(ctx, { id: nameOrId })).map((tool) => {
        const { configurations = [], skills = [], rules = [] } = byName.get(tool.name) ?? {}
        return { ...tool, configurations: [...ofGroup, ...configurations], skills, rules }
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
  alias?: string
  look?: string
  lookArgument?: string[]
  lookBecomes?: string
}

function addAccept(group: Command): void {
  command<Accepting>(group, 'accept', {
    description: 'accept tools of a server as it defines them now, and say what they are',
    args: one,
    confirms: 'cases',
    reason: true,
    options: (made) =>
      made
        .option(
          '--tool <name...>',
          'only these, by their name here or on the server; without it all, but for those that the imported mcp.json leaves out',
        )
        .addOption(new Option('--effect <effect>', 'what they do').choices(Effect.options))
        .addOption(
          new Option('--data-class <class>', 'what they return').choices(DataClass.options),
        )
        .option('--members', 'members may use them, too')
        .option('--alias <name>', 'what models call the one tool; its own name = no alias')
        .option(
          '--look <tool>',
          'the tool of the server that reads what the one tool changes; "proposed" = as proposed, "none" = none',
        )
        .option(
          '--look-argument <argument...>',
          'arguments of that tool, each as name=path into those of the call, such as path=$.path',
        )
        .option('--look-becomes <path>', 'the path to the text that the call writes')
        .option('--enable', 'switch them on'),
    work: async ({ ctx, args: [nameOrId = ''], options }) => {
      const { acceptTools } = await import('@/lib/toolset/servers/accept-tools')
      const { reviewTools } = await import('@/lib/toolset/servers/review')
      const all = await reviewTools(ctx, { id: nameOrId })
      const tools = picked(all, options.tool)
      if (options.alias !== undefined && tools.length !== 1) {
        throw new ValidationError({ alias: 'Name one tool with --tool. An alias is for one.' })
      }
      if (options.look !== undefined && options.look !== 'proposed' && tools.length !== 1) {
        throw new ValidationError({ look: 'Name one tool with --tool. A look is for one.' })
      }
      const decisions = tools.map((tool) => decisionOf(tool, options))
      await acceptTools(ctx, { id: nameOrId, tools: decisions, reason: options.reason })
      const after = picked(await reviewTools(ctx, { id: nameOrId }), options.tool)
      const unticked = options.tool ? [] : all.filter(({ preselected }) => preselected === false)
      const text = () => {
        printTools(after)
        if (unticked.length === 0) return
        const names = unticked.map(({ remoteName }) => visibleText(remoteName)).join(', ')
        printLine(
          `Not accepted, because the imported mcp.json leaves it out: ${names}. Name it with --tool.`,
        )
      }
      return { json: after, text }
    },
  })
}

/** Returns the tools that are named, or without names those that no file unticks. Throws ValidationError for an unknown name. */
function picked(tools: readonly ReviewedTool[], names: readonly string[] | undefined) {
  const offered = tools.filter(({ state }) => state !== 'gone')
  // The file that the server came from says which of its tools are wanted, as the page shows it.
  if (!names) return offered.filter(({ preselected }) => preselected !== false)
  return names.map((name) => {
    const found = offered.find((tool) => tool.name === name || tool.remoteName === name)
    if (found) return found
    throw new ValidationError({ tool: `This server has no tool named ${name.slice(0, 100)}.` })
  })
}

function decisionOf(
  tool: ReviewedTool,
  { effect, dataClass, members, enable, alias, ...looking }: Accepting,
): Decision {
  const { name, hash, description } = tool
  return {
    name,
    hash,
    description,
    alias: alias ?? tool.alias,
    look: chosenLook(tool, looking),
    effect: effect === undefined ? tool.effect : Effect.parse(effect),
    dataClass: dataClass === undefined ? tool.dataClass : DataClass.parse(dataClass),
    requiresAdmin: members ? false : tool.requiresAdmin,
    ...(enable && { enabled: true }),
  }
}

type Looking = Pick<Accepting, 'look' | 'lookArgument' | 'lookBecomes'>

/** Returns how a tool is looked at: as the options say, else as it was. */
function chosenLook(
  tool: ReviewedTool,
  { look: named, lookArgument, lookBecomes }: Looking,
): RemoteLook | null {
  if (named === undefined) return tool.look
  if (named === 'none') return null
  if (named === 'proposed') return tool.proposedLook
  return {
    tool: named,
    arguments: readLookArguments(lookArgument ?? []),
    becomes: lookBecomes ?? null,
  }
}
