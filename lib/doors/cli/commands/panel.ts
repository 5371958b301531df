import type { Command } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { visibleText } from '@/lib/protocol/clean-text'
import { boundedCost } from '@/lib/protocol/cost'
import { countOf, formatCostMicroUsd, formatCount, formatDuration } from '@/lib/protocol/format'
import { hopBudgets } from '@/lib/protocol/panel'
import type { PanelSummary } from '@/lib/runs/panel-schemas'
import { command } from '../command'
import { type CommonOptions, nameList, wholeNumber, withCommonOptions } from '../common-options'
import { cutLine, printJson, printLine, printTable } from '../print'
import { type CostCapOption, costCapOption } from '../run-options'
import { terminal } from '../terminal'

type ConferOptions = CommonOptions & {
  configuration?: string[]
  prompt: string
  tools?: string[]
  hops?: number
  costCap?: CostCapOption
  memberCostCap?: CostCapOption
}

const help = `
Each configuration answers the same prompt in a run of its own. They have no tools unless --tools names some.
The exit code is that of the first member that did not complete, as of toolgate run.

Examples:
  toolgate confer --configuration fast --configuration careful --prompt 'Is this plan safe?'
  toolgate confer --configuration fast --configuration careful --tools fetch_url,verify --prompt - --json`

const maxPromptBytes = 1024 * 1024

/** Adds the commands for one prompt on several configurations at once. */
export function addPanelCommands(program: Command): void {
  addConfer(program)
  const panel = program
    .command('panel')
    .description('prompts on several configurations at once; toolgate confer starts one')
  command<{ search?: string; chosen?: boolean }>(panel, 'list', {
    description: 'list panels, the newest first',
    options: (made) =>
      made
        .option('--search <words>', 'words of the prompt')
        .option('--chosen', 'those with a choice'),
    work: async ({ ctx, options: { search, chosen } }) => {
      const { listPanels } = await import('@/lib/runs/panels')
      const filter = { search, chosen: chosen ? 'yes' : undefined, pageSize: 200 } as const
      const { panels, total } = await listPanels(ctx, filter)
      return {
        json: { panels, total },
        text: () =>
          printTable(
            ['prompt', 'members', 'status', 'cost', 'started', 'id'],
            panels.map(({ prompt, members, status, costMicroUsd, createdAt, panelId }) => [
              cutLine(visibleText(prompt)),
              String(members.length),
              status,
              formatCostMicroUsd(costMicroUsd),
              createdAt,
              panelId,
            ]),
          ),
      }
    },
  })
  command(panel, 'show', {
    description: 'show a panel: the answers and figures of its members',
    args: { '<panel>': 'its id' },
    work: async ({ ctx, args: [panelId = ''] }) => {
      const { readPanel } = await import('@/lib/runs/read-panel')
      const found = await readPanel(ctx, { panelId })
      return { json: found, text: () => printPanel(found) }
    },
  })
  command<{ note?: string }>(panel, 'choose', {
    description: 'say which member of a panel answered best; none takes the choice back',
    args: { '<panel>': 'its id', '<run>': 'id of the run of a member, or none' },
    options: (made) => made.option('--note <text>', 'why'),
    work: async ({ ctx, args: [panelId = '', run = ''], options: { note = '' } }) => {
      const { choosePanel } = await import('@/lib/runs/panels')
      const runId = run === 'none' ? null : run
      const { choice } = await choosePanel(ctx, { panelId, runId, note })
      return {
        json: { choice },
        text: choice ? 'The choice is kept.' : 'The choice is taken back.',
      }
    },
  })
  command(panel, 'stop', {
    description: 'stop all members of a panel that go on',
    args: { '<panel>': 'its id' },
    reason: true,
    work: async ({ ctx, args: [panelId = ''], options: { reason } }) => {
      const { stopPanel } = await import('@/lib/runs/panels')
      const { stoppedRuns } = await stopPanel(ctx, { panelId, ...(reason && { reason }) })
      return { json: { stoppedRuns }, text: `Stopped ${countOf(stoppedRuns, 'run')}.` }
    },
  })
}

function addConfer(program: Command): void {
  const confer = program
    .command('confer')
    .description('run one prompt on several configurations at once, side by side')
    .option(
      '--configuration <name>',
      'configuration to ask (identifier or id); repeat it for each',
      (name: string, before: string[] = []) => [...before, name],
    )
    .requiredOption('--prompt <text>', 'the prompt; - reads it from standard input')
    .option('--tools <names>', 'offer these tools, separated by commas (default: none)', nameList)
    .option(
      '--hops <number>',
      `how often each may ask for tools (default: ${hopBudgets.usual})`,
      wholeNumber(1, hopBudgets.most),
    )
    .option(
      '--cost-cap <usd>',
      'cap of all together: 0.50 warns, enforce:0.50 stops',
      costCapOption,
    )
    .option('--member-cost-cap <usd>', 'cap of each, likewise', costCapOption)
  withCommonOptions(confer)
    .addHelpText('after', help)
    .action(async (options: ConferOptions) => {
      terminal().exitCode = await terminal().withInstallation(() => runConfer(options))
    })
}

async function runConfer(options: ConferOptions): Promise<number> {
  const { actingCtx } = await import('../acting-ctx')
  const { withEngine } = await import('../run-and-follow')
  const { startPanel } = await import('@/lib/runs/start-panel')
  const { readPanel } = await import('@/lib/runs/read-panel')
  const { configuration = [], tools = [], hops, costCap = null, memberCostCap = null } = options
  const ctx = await actingCtx(options.as)
  const prompt = options.prompt === '-' ? await typedPrompt() : options.prompt
  const limits = { costCap, memberCostCap, ...(hops !== undefined && { hops }) }
  return withEngine(async () => {
    const asked = { configurations: configuration, prompt, tools, ...limits }
    const { panelId } = await startPanel(ctx, asked)
    const codes = await followMembers(ctx, await readPanel(ctx, { panelId }))
    const panel = await readPanel(ctx, { panelId })
    if (options.json) printJson(panel)
    else printPanel(panel)
    return codes.find((code) => code !== 0) ?? 0
  })
}

async function typedPrompt(): Promise<string> {
  const { readStandardInput } = await import('../read-input')
  return readStandardInput(maxPromptBytes)
}

/** Waits for all members and returns their exit codes. A signal stops them all. */
async function followMembers(ctx: Ctx, { members }: PanelSummary): Promise<number[]> {
  const { followRun } = await import('../follow-run')
  const runs = members.flatMap(({ run }) => run ?? [])
  return Promise.all(runs.map(({ runId }) => followRun(ctx, runId, () => undefined)))
}

function printPanel(panel: PanelSummary): void {
  printLine(`Panel ${panel.panelId}`)
  for (const { name, refusal, run } of panel.members) {
    const mark = run && panel.choice?.runId === run.runId ? ' (chosen)' : ''
    printLine(`\n── ${visibleText(name)}${mark} ──`)
    if (!run) printLine(`Refused: ${visibleText(refusal ?? '')}`)
    else printMember(run)
  }
  const tokens = formatCount(panel.inputTokens + panel.outputTokens)
  printLine(`\nTogether: ${formatCostMicroUsd(panel.costMicroUsd)}, ${tokens} tokens.`)
  const { costCap, choice } = panel
  if (costCap?.exceeded)
    printLine(
      `The cap of ${formatCostMicroUsd(costCap.limitMicroUsd)} was reached${costCap.blocked ? ' and stopped members' : ''}.`,
    )
  if (choice?.note) printLine(`Note: ${visibleText(choice.note)}`)
}

function printMember(run: NonNullable<PanelSummary['members'][number]['run']>): void {
  const { answer, endReason, message, calls, tools } = run
  if (answer !== '') printLine(visibleText(answer))
  if (endReason !== 'completed' && message !== '') printLine(visibleText(message))
  for (const { name, gate } of tools.rejected) printLine(`${name} was not offered (${gate}).`)
  const facts = [
    endReason ?? (run.waitsForPeople ? 'waiting for approval' : 'running'),
    countOf(calls, 'call'),
    `${formatCount(run.inputTokens)} tokens in, ${formatCount(run.outputTokens)} out`,
    boundedCost(run.costMicroUsd, run.costBound),
    ...(run.workMs === null ? [] : [formatDuration(run.workMs)]),
    `run ${run.runId}`,
  ]
  printLine(facts.join(' · '))
}
