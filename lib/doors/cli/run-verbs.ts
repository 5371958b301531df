import type { CostCapChoice } from '@/lib/protocol/cost'
import { chooseCostCap } from '@/lib/runs/verbs'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine } from './print'
import { readStandardInput } from './read-standard-input'
import { type RunOptions, runAndFollow } from './run-and-follow'

export type PromptOptions = RunOptions & { configuration: string; prompt: string }

const maxPromptBytes = 1024 * 1024

/** Works one prompt to its end in this process and gives the exit code that tells the reason. */
export async function runPrompt(options: PromptOptions): Promise<number> {
  const { configuration } = options
  const prompt = options.prompt === '-' ? await readStandardInput(maxPromptBytes) : options.prompt
  return runAndFollow({ configuration, prompt }, options)
}

const words: Record<CostCapChoice, string> = {
  enforce: 'stops the run with a final answer when it is reached',
  warn: 'only warns when it is reached',
  ignore: 'has no effect',
}

/** Sets the choice for the rest of an active run, whichever process works on it. */
export async function chooseAndPrint(
  runId: string,
  choice: CostCapChoice,
  { as, json }: CommonOptions,
): Promise<void> {
  await chooseCostCap(await actingCtx(as), { runId, choice })
  if (json) return printJson({ runId, choice })
  printLine(`From the next round on, the cost cap ${words[choice]}.`)
}
