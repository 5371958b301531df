import type { FileDataClass } from '@/lib/protocol/run-file'
import { readStandardInput } from './read-standard-input'
import { type LimitOptions, runAndFollow } from './run-and-follow'

export type RunOptions = LimitOptions & {
  configuration: string
  prompt: string
  file?: string[]
  dataClass?: FileDataClass
}

const maxPromptBytes = 1024 * 1024

/** Works one prompt to its end in this process and gives the exit code that tells the reason. */
export async function runPrompt(options: RunOptions): Promise<number> {
  const { configuration } = options
  const prompt = options.prompt === '-' ? await readStandardInput(maxPromptBytes) : options.prompt
  const { file: paths = [], dataClass = null } = options
  return runAndFollow({ configuration, prompt }, options, { paths, dataClass })
}
