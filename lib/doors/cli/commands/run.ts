import { Argument, type Command } from 'commander'
import type { RunOptions } from '@/lib/doors/cli/runs/run-and-follow'
import {
  type ChangeOptions,
  withChangeOptions,
  withRunOptions,
} from '@/lib/doors/cli/runs/run-options'
import { CostCapChoice } from '@/lib/protocol/cost/money'
import { ownCapSummary } from '@/lib/protocol/panel/panel'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { waitingWords } from '@/lib/protocol/run/waiting'
import { visibleText } from '@/lib/words/clean-text'
import { actingCtx } from '../acting-ctx'
import { command } from '../command'
import { printLine } from '../print'
import { terminal } from '../terminal'
import { addCompareCommand } from './run-compare'
import { addForkCommand } from './run-fork'
import { addRunListCommands } from './run-list'
import { addReplayCommand } from './run-replay'

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
  toolgate run --configuration openai --prompt 'Who may sign in here?' --dry-run
  toolgate run --again 0199a1b2-… --temperature 0.2 --model 'OpenAI/gpt-5'
  toolgate run list --failed --since 7d --sort cost
  toolgate run show 0199a1b2-…
  toolgate run compare 0199a1b2-… 0199a1c3-…
  toolgate run replay 0199a1b2-…
  toolgate run fork 0199a1b2-… --round 2 --prompt 'Answer in one line.'
  toolgate run mark 0199a1b2-… --add-tag billing --note 'The total was wrong.'
  toolgate run cost-cap 0199a1b2-… enforce`

type MarkOptions = { addTag?: string[]; removeTag?: string[]; note?: string }

type PromptOptions = RunOptions &
  ChangeOptions & {
    configuration?: string
    prompt?: string
    continue?: string
    again?: string
    dryRun?: true
  }

const maxPromptBytes = 1024 * 1024

type Run = Awaited<ReturnType<typeof import('@/lib/runs/read-run').readRun>>

const openWords = {
  queued: 'A server begins it now.',
  running: 'It is running.',
  waiting: 'Waiting for approval of a call.',
} as const satisfies Record<Exclude<Run['status'], 'ended'>, string>

const choiceWords: Record<CostCapChoice, string> = {
  enforce: 'stops the run with a final answer when it is reached',
  warn: 'only warns when it is reached',
  ignore: 'has no effect',
}

export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .description('run a prompt and show every tool call')
    .option('--configuration <name>', 'configuration to use (identifier or id)')
    .option('--prompt <text>', 'the prompt; - reads it from standard input')
    .option(
      '--continue <run>',
      'id of a run of yours that ended: this is the next turn of its conversation, with its configuration unless another is given',
    )
    .option(
      '--again <run>',
      'id of a run of yours that ended: runs it again with what the other options change',
    )
    .option('--dry-run', 'show the first model request and its worst cost; send and start nothing')
  const refuse = (name: string) => run.error(`error: required option '--${name}' not specified`)
  withChangeOptions(withRunOptions(run))
    .addHelpText('after', exitTable)
    .action(async (options: PromptOptions) => {
      // No mandatory options: commander would ask for them in `run cost-cap` as well.
      const { configuration, prompt, continue: before, again } = options
      const isNamed = configuration !== undefined || before !== undefined || again !== undefined
      if (!isNamed) return refuse('configuration')
      if (prompt === undefined && again === undefined) return refuse('prompt')
      terminal().exitCode = await terminal().withInstallation(() => runPrompt(options, prompt))
    })
  addRunListCommands(run)
  command(run, 'show', {
    description: 'show a run: what it did so far, and where it stands if it waits',
    args: { '<run>': 'id of the run' },
    work: async ({ ctx, args: [runId = ''] }) => {
      const { readRun } = await import('@/lib/runs/read-run')
      const found = await readRun(ctx, runId)
      const costCap = ownCapSummary(foldRun(found.events), ctx.actor.role)
      return { json: { ...found, costCap }, text: () => printRun(found) }
    },
  })
  addCompareCommand(run)
  addReplayCommand(run)
  addForkCommand(run)
  command<MarkOptions>(run, 'mark', {
    description: 'add tags to a run, remove some, or change its note',
    args: { '<run>': 'id of the run' },
    options: (made) =>
      made
        .option('--add-tag <tag...>', 'tags to add')
        .option('--remove-tag <tag...>', 'tags to remove')
        .option('--note <text>', 'text of the note; an empty one removes it'),
    work: async ({ ctx, args: [runId = ''], options }) => {
      const { addTag: addTags, removeTag: removeTags, note } = options
      const { markRun } = await import('@/lib/runs/mark-run')
      const marks = await markRun(ctx, { runId, addTags, removeTags, note })
      return { json: { runId, ...marks }, text: () => printMarks(marks) }
    },
  })
  command(run, 'cost-cap', {
    description: 'change what the cost cap of a run does from its next round',
    args: { '<run>': 'id of an active run' },
    options: (made) =>
      made.addArgument(
        new Argument('<choice>', 'what the cap does for the rest of the run').choices(
          CostCapChoice.options,
        ),
      ),
    work: async ({ ctx, args: [runId = '', given] }) => {
      const { chooseCostCap } = await import('@/lib/runs/verbs')
      const { choice } = await chooseCostCap(ctx, { runId, choice: CostCapChoice.parse(given) })
      return {
        json: { runId, choice },
        text: `From the next round on, the cost cap ${choiceWords[choice]}.`,
      }
    },
  })
}

/** Prints the trace of a run, and its state if it has not ended. */
async function printRun({ events, status, waiting, ...marks }: Run): Promise<void> {
  const { createTracePrinter } = await import('@/lib/doors/cli/runs/trace-printer')
  const print = createTracePrinter()
  for (const event of events) print(event)
  if (waiting) printLine(visibleText(waitingWords(waiting)))
  else if (status !== 'ended') printLine(openWords[status])
  if (marks.tags.length > 0 || marks.note) printMarks(marks)
}

/** Prints what people wrote about a run. */
function printMarks({ tags, note }: Pick<Run, 'tags' | 'note'>): void {
  printLine(`Tags: ${tags.length > 0 ? visibleText(tags.join(', ')) : 'none'}`)
  if (note) printLine(`Note of ${note.by}, ${note.at}:\n${visibleText(note.text)}`)
}

/** Works on one prompt to its end in this process. Returns the exit code that says how it ended. */
async function runPrompt(options: PromptOptions, given: string | undefined): Promise<number> {
  const { readStandardInput } = await import('@/lib/doors/cli/input/read-input')
  const runs = await import('@/lib/doors/cli/runs/run-and-follow')
  const { changesOf, inputOf } = await import('@/lib/doors/cli/runs/run-again')
  const work = options.dryRun ? runs.runDry : runs.runAndFollow
  const ctx = await actingCtx(options.as)
  const prompt = given === '-' ? await readStandardInput(maxPromptBytes) : given
  const changes = await changesOf(ctx, options)
  if (options.again !== undefined) {
    const before = await inputOf(ctx, options.again)
    const { configuration = before.configuration, continue: continues = before.continues } = options
    // The changes of the run before were made of its own configuration.
    const kept = options.configuration === undefined ? before.overrides : null
    const overrides = { ...kept, ...changes }
    const input = { ...before, configuration, continues, overrides }
    const own = prompt === undefined ? {} : { prompt, task: null, variables: {} }
    return work({ ...input, ...own }, options)
  }
  const continues = options.continue ?? null
  const configuration = options.configuration ?? (await runs.configurationOfRun(ctx, continues))
  return work({ configuration, prompt, continues, overrides: changes }, options)
}
