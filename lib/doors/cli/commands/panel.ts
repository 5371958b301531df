import { Argument, type Command } from 'commander'
import { printPanel } from '@/lib/doors/cli/runs/print-panel'
import { CostCapChoice } from '@/lib/protocol/cost/money'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, formatCostMicroUsd } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printTable } from '../print'

const choiceWords: Record<CostCapChoice, string> = {
  enforce: 'lets members write a final answer when it is reached, and no more roles begin',
  warn: 'only warns when it is reached',
  ignore: 'has no effect',
}

/** Adds the commands for one prompt on several configurations at once. */
export function addPanelCommands(program: Command): void {
  const panel = program
    .command('panel')
    .description(
      'prompts on several configurations at once; toolgate confer and coordinate start them',
    )
  command<{ search?: string; chosen?: boolean }>(panel, 'list', {
    description: 'list panels, the newest first',
    options: (made) =>
      made
        .option('--search <words>', 'words of the prompt')
        .option('--chosen', 'those with a choice'),
    work: async ({ ctx, options: { search, chosen } }) => {
      const { listPanels } = await import('@/lib/runs/panels/panels')
      const filter = { search, chosen: chosen ? 'yes' : undefined, pageSize: 200 } as const
      const { panels, total } = await listPanels(ctx, filter)
      return {
        json: { panels, total },
        text: () =>
          printTable(
            ['panel', 'members', 'status', 'cost', 'started', 'id'],
            panels.map(({ title, members, status, costMicroUsd, createdAt, panelId }) => [
              cutLine(visibleText(title)),
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
      const { readPanel } = await import('@/lib/runs/panels/read-panel')
      const found = await readPanel(ctx, { panelId })
      return { json: found, text: () => printPanel(found) }
    },
  })
  command<{ note?: string }>(panel, 'choose', {
    description: 'say which member of a panel answered best; none takes the choice back',
    args: { '<panel>': 'its id', '<run>': 'id of the run of a member, or none' },
    options: (made) => made.option('--note <text>', 'why'),
    work: async ({ ctx, args: [panelId = '', run = ''], options: { note = '' } }) => {
      const { choosePanel } = await import('@/lib/runs/panels/panels')
      const runId = run === 'none' ? null : run
      const { choice } = await choosePanel(ctx, { panelId, runId, note })
      return {
        json: { choice },
        text: choice ? 'The choice is kept.' : 'The choice is taken back.',
      }
    },
  })
  command(panel, 'cost-cap', {
    description: 'change what the cost cap of all members does, also for roles that begin later',
    args: { '<panel>': 'id of a panel that goes on' },
    options: (made) =>
      made.addArgument(
        new Argument('<choice>', 'what the cap does for the rest of the panel').choices(
          CostCapChoice.options,
        ),
      ),
    work: async ({ ctx, args: [panelId = '', given] }) => {
      const { choosePanelCap } = await import('@/lib/runs/panels/choose-panel-cap')
      const chosen = await choosePanelCap(ctx, { panelId, choice: CostCapChoice.parse(given) })
      return {
        json: chosen,
        text: `From now on, the cost cap of the panel ${choiceWords[chosen.choice]}.`,
      }
    },
  })
  command(panel, 'stop', {
    description: 'stop all members of a panel that go on',
    args: { '<panel>': 'its id' },
    reason: true,
    work: async ({ ctx, args: [panelId = ''], options: { reason } }) => {
      const { stopPanel } = await import('@/lib/runs/panels/panels')
      const { stoppedRuns } = await stopPanel(ctx, { panelId, ...(reason && { reason }) })
      return { json: { stoppedRuns }, text: `Stopped ${countOf(stoppedRuns, 'run')}.` }
    },
  })
}
