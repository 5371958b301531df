import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes'
import { explainError } from './explain-error'
import { buildProgram } from './program'

/** Runs one command line and gives its exit code; everything there is to say has been written then. */
export async function main(argv: readonly string[]): Promise<number> {
  // The log is for people who look for the cause of something; a terminal shows only what is broken.
  process.env.LOG_LEVEL ??= 'error'
  // A reader such as `head` may leave early; what that means is for the command to say.
  process.stdout.on('error', ignore)
  try {
    await buildProgram().parseAsync(argv)
    return Number(process.exitCode ?? exitCodes.ok)
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { exitCode, sentence } = await explainError(error)
    process.stderr.write(`toolgate: ${sentence}\n`)
    return exitCode
  } finally {
    await new Promise((resolve) => process.stdout.write('', resolve))
    process.stdout.off('error', ignore)
  }
}

function ignore(): void {}
