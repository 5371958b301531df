import { type Command, InvalidArgumentError, Option } from 'commander'
import { ToolSource } from '@/lib/protocol/run/fork'
import { command } from '../command'
import { wholeNumber } from '../input/common-options'
import { readFileOrInput } from '../input/read-input'
import { readYaml } from '../input/read-yaml'
import { printLine } from '../print'

const maxBytes = 1024 * 1024

type Options = {
  round: number
  edit?: string
  prompt?: string
  configuration?: string
  tools?: string[] | false
  source?: Record<string, ToolSource>
}

/** Adds the command that goes on from a round of a run. */
export function addForkCommand(run: Command): void {
  command<Options>(run, 'fork', {
    description:
      'go on from a round of a run that ended, with at most one change: its rounds so far are copied, and tools give their recorded results',
    args: { '<run>': 'id of the run' },
    options: (made) =>
      made
        .requiredOption('--round <number>', 'the last round to copy', wholeNumber(1, 1_000))
        .addOption(new Option('--prompt <text>', 'another prompt').conflicts('edit'))
        .option(
          '--edit <file>',
          'a change of the round as YAML or JSON, such as {type: result, callId: …, text: …}; - reads standard input',
        )
        .option('--configuration <name>', 'another configuration (identifier or id)')
        .option('--tools <tool...>', 'the tools that it may be offered')
        .option('--no-tools', 'offer it no tools')
        .option(
          '--source <tool=source>',
          'results of a tool: live calls it, refused fails its calls, fixed:TEXT returns the text (repeatable)',
          withSource,
        ),
    work: async ({ ctx, args: [runId = ''], options, isJson: json }) => {
      const { forkRun } = await import('@/lib/runs/fork/fork-run')
      const { followToEnd, withEngine } = await import('@/lib/doors/cli/runs/run-and-follow')
      const { round, prompt, edit: file, configuration, tools, source: sources } = options
      const read = file === undefined ? null : readYaml(await readFileOrInput(file, maxBytes))
      const edit = prompt === undefined ? read : { type: 'prompt', text: prompt }
      return withEngine(async () => {
        const wanted = { runId, round, edit, configuration, sources, tools: pickedTools(tools) }
        const forked = await forkRun(ctx, wanted as Parameters<typeof forkRun>[1])
        const exitCode = await followToEnd(ctx, forked.runId, { json })
        return { json: forked, text: () => printLine(`Run ${forked.runId}`), exitCode }
      })
    },
  })
}

function pickedTools(tools: Options['tools']): string[] | undefined {
  return tools === false ? [] : Array.isArray(tools) ? tools : undefined
}

/** Adds the source of one tool to those that were given before. */
export function withSource(
  text: string,
  before: Record<string, ToolSource> = {},
): Record<string, ToolSource> {
  const [, name, kind, content] = /^([^=]+)=(live|refused|fixed:([\s\S]*))$/.exec(text) ?? []
  if (name === undefined || kind === undefined)
    throw new InvalidArgumentError('Give TOOL=live, TOOL=refused or TOOL=fixed:TEXT.')
  const source = content === undefined ? { type: kind } : { type: 'fixed', content }
  return { ...before, [name]: ToolSource.parse(source) }
}
