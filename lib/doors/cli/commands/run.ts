import { Argument, type Command } from 'commander'
import { CostCapChoice } from '@/lib/protocol/cost'
import { withCommonOptions } from '../common-options'
import { withRunOptions } from '../run-options'
import type { PromptOptions } from '../run-verbs'
import { withInstallation } from '../with-installation'

const exitTable = `
Exit codes:
  0 completed          12 output limit      16 time limit
  1 could not start    13 content filter    17 provider failed
  2 wrong usage        14 loop              18 Toolgate failed
  10 round limit       15 context full      130 stopped
  11 budget            19 frozen            20 cost cap
  22 invalid output

Ctrl-C stops the run and waits for its end; a second Ctrl-C leaves at once.

Examples:
  toolgate run --configuration demo --prompt 'Who may sign in here?'
  git diff | toolgate run --configuration openai --no-tools --prompt - --json
  toolgate run --configuration openai --prompt 'What does it cost?' --file bill.pdf --file photo.jpg
  toolgate run cost-cap 0199a1b2-… enforce`

/** Not mandatory options: commander would ask for them in `run cost-cap` as well. */
const needed = ['configuration', 'prompt'] as const

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .description('run a prompt and show every tool call')
    .option('--configuration <name>', 'configuration to use (identifier or id)')
    .option('--prompt <text>', 'the prompt; - reads it from standard input')
  withRunOptions(command)
    .addHelpText('after', exitTable)
    .action(async (options: PromptOptions) => {
      const missing = needed.find((name) => options[name] === undefined)
      if (missing) command.error(`error: required option '--${missing}' not specified`)
      process.exitCode = await withInstallation(async () => {
        const { runPrompt } = await import('../run-verbs')
        return runPrompt(options)
      })
    })
  withCommonOptions(command.command('cost-cap'))
    .argument('<run>', 'id of an active run')
    .addArgument(
      new Argument('<choice>', 'what the cap does for the rest of the run').choices(
        CostCapChoice.options,
      ),
    )
    .description('change what the cost cap of a run does from its next round')
    .action((runId: string, choice: CostCapChoice, _options: object, own: Command) =>
      withInstallation(async () => {
        const { chooseAndPrint } = await import('../run-verbs')
        return chooseAndPrint(runId, choice, own.optsWithGlobals())
      }),
    )
}
