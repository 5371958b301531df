import type { Command } from 'commander'
import type { RunOptions } from '@/lib/doors/cli/runs/run-and-follow'
import { withRunOptions } from '@/lib/doors/cli/runs/run-options'
import { terminal } from '../terminal'

type ChatOptions = Omit<RunOptions, 'file' | 'dataClass'> & {
  configuration?: string
  continue?: string
}

const help = `
Each line is a turn. In a terminal, an empty line ends the conversation; otherwise the end of standard input does.

Examples:
  toolgate chat --configuration demo
  toolgate chat --continue 0199a1b2-…
  printf 'Who may sign in here?\\nAnd who of them are admins?\\n' | toolgate chat --configuration demo --json`

const maxBytes = 1024 * 1024

/** Adds the command that writes one turn of a conversation after another. */
export function addChatCommand(program: Command): void {
  const chat = program
    .command('chat')
    .description('hold a conversation: each run continues the one before')
    .option('--configuration <name>', 'configuration to use (default: that of the continued run)')
    .option('--continue <run>', 'id of a run of yours that ended, to go on from there')
  withRunOptions(chat)
    .addHelpText('after', help)
    .action(async (options: ChatOptions) => {
      if (options.configuration === undefined && options.continue === undefined)
        chat.error("error: required option '--configuration' or '--continue' not specified")
      terminal().exitCode = await terminal().withInstallation(() => converse(options))
    })
}

/** Runs one turn after another. Returns the exit code of the last one. */
async function converse(options: ChatOptions): Promise<number> {
  const { actingCtx } = await import('../acting-ctx')
  const { configurationOfRun, startAndFollow, withEngine } = await import(
    '@/lib/doors/cli/runs/run-and-follow'
  )
  const ctx = await actingCtx(options.as)
  let continues = options.continue ?? null
  const configuration = options.configuration ?? (await configurationOfRun(ctx, continues))
  let exitCode = 0
  await withEngine(async () => {
    for await (const prompt of prompts()) {
      const input = { configuration, prompt, continues }
      const turn = await startAndFollow(ctx, input, options)
      continues = turn.runId
      exitCode = turn.exitCode
    }
  })
  return exitCode
}

/** Yields what a person types, line by line, or the lines of standard input. */
async function* prompts(): AsyncGenerator<string> {
  if (!terminal().typed) {
    const { readStandardInput } = await import('@/lib/doors/cli/input/read-input')
    const lines = (await readStandardInput(maxBytes)).split('\n')
    yield* lines.map((line) => line.trim()).filter((line) => line !== '')
    return
  }
  for (;;) {
    const line = (await terminal().ask('> ')).trim()
    if (line === '') return
    yield line
  }
}
