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
