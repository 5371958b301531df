import type { Command } from 'commander'
import {
  type CommonOptions,
  nameList,
  wholeNumber,
  withCommonOptions,
} from '@/lib/doors/cli/input/common-options'
import { type CostCapOption, costCapOption } from '@/lib/doors/cli/runs/run-options'
import type { Ctx } from '@/lib/kernel/context'
import { hopBudgets } from '@/lib/protocol/panel/panel'
import { mostCritics } from '@/lib/protocol/panel/role-words'
import { terminal } from '../terminal'

type SharedOptions = CommonOptions & {
  prompt: string
  tools?: string[]
  hops?: number
  costCap?: CostCapOption
}
type ConferOptions = SharedOptions & { configuration?: string[]; memberCostCap?: CostCapOption }
type CoordinateOptions = SharedOptions & {
  proposer: string
  critic?: string[]
  synthesizer: string
}

const conferHelp = `
Each configuration answers the same prompt in a run of its own. They have no tools unless --tools names some.
The exit code is that of the first member that did not complete, as of toolgate run.

Examples:
  toolgate confer --configuration fast --configuration careful --prompt 'Is this plan safe?'
  toolgate confer --configuration fast --configuration careful --tools fetch_url,verify --prompt - --json`

const coordinateHelp = `
The proposer works out a proposal, the critics check it at once, the synthesizer writes the answer. The proposer and the
critics have the tools that --tools names, the synthesizer has none. Roles may have the same configuration.
The exit code is that of the first role that did not complete, as of toolgate run.

Example:
  toolgate coordinate --proposer fast --critic careful --critic fast --synthesizer careful --prompt 'Review the plan.'`

const maxPromptBytes = 1024 * 1024
const more = (name: string, before: string[] = []) => [...before, name]

/** Adds the commands that start panels. */
export function addConferCommands(program: Command): void {
  const confer = program
    .command('confer')
    .description('run one prompt on several configurations at once, side by side')
    .option(
      '--configuration <name>',
      'configuration to ask (identifier or id); repeat it for each',
      more,
    )
    .option('--member-cost-cap <usd>', 'cap of each member, as --cost-cap', costCapOption)
  withShared(confer)
    .addHelpText('after', conferHelp)
    .action(async (options: ConferOptions) => {
      terminal().exitCode = await terminal().withInstallation(() => runConfer(options))
    })
  const coordinate = program
    .command('coordinate')
    .description('have a proposer, critics and a synthesizer work on one task')
    .requiredOption('--proposer <name>', 'configuration of the proposer')
    .option(
      '--critic <name>',
      `configuration of a critic; repeat it for up to ${mostCritics}`,
      more,
    )
    .requiredOption('--synthesizer <name>', 'configuration of the synthesizer')
  withShared(coordinate)
    .addHelpText('after', coordinateHelp)
    .action(async (options: CoordinateOptions) => {
      terminal().exitCode = await terminal().withInstallation(() => runCoordinate(options))
    })
}

function withShared(command: Command): Command {
  return withCommonOptions(command)
    .requiredOption('--prompt <text>', 'the prompt; - reads it from standard input')
    .option('--tools <names>', 'offer these tools, separated by commas (default: none)', nameList)
    .option(
      '--hops <number>',
      `how often each may ask for tools (default: ${hopBudgets.usual})`,
      wholeNumber(1, hopBudgets.most),
    )
    .option(
      '--cost-cap <usd>',
      'cap of all together: 0.50 warns, enforce:0.50 stops, after up to two more requests of each',
      costCapOption,
    )
}

async function runConfer(options: ConferOptions): Promise<number> {
  const { startPanel } = await import('@/lib/runs/panels/start-panel')
  const { configuration = [], hops, memberCostCap = null } = options
  return begin(options, (ctx, shared) =>
    startPanel(ctx, {
      ...shared,
      configurations: configuration,
      memberCostCap,
      ...(hops !== undefined && { hops }),
    }),
  )
}

async function runCoordinate(options: CoordinateOptions): Promise<number> {
  const { startCoordination } = await import('@/lib/runs/panels/start-coordination')
  const { proposer, critic: critics = [], synthesizer, hops } = options
  const asking = (configuration: string) => ({
    configuration,
    ...(hops !== undefined && { hops }),
  })
  return begin(options, (ctx, shared) =>
    startCoordination(ctx, {
      ...shared,
      proposer: asking(proposer),
      critics: critics.map(asking),
      synthesizer: { configuration: synthesizer },
    }),
  )
}

type Shared = { prompt: string; tools: string[]; costCap: CostCapOption | null }
type Begin = (ctx: Ctx, shared: Shared) => Promise<{ panelId: string }>

/** Starts a panel, follows it to its end and prints it. Returns the exit code. */
async function begin(options: SharedOptions, start: Begin): Promise<number> {
  const { actingCtx } = await import('../acting-ctx')
  const { followAndPrint } = await import('@/lib/doors/cli/runs/follow-panel')
  const { withEngine } = await import('@/lib/doors/cli/runs/run-and-follow')
  const { tools = [], costCap = null } = options
  const ctx = await actingCtx(options.as)
  const prompt = options.prompt === '-' ? await typedPrompt() : options.prompt
  return withEngine(async () => {
    const { panelId } = await start(ctx, { prompt, tools, costCap })
    return followAndPrint(ctx, panelId, options)
  })
}

async function typedPrompt(): Promise<string> {
  const { readStandardInput } = await import('@/lib/doors/cli/input/read-input')
  return readStandardInput(maxPromptBytes)
}
