import { addOwnProcessCommands } from './commands/installation'
import { buildProgram, runProgram } from './program'
import { inTerminal, ownTerminal } from './terminal'
import { withInstallation } from './with-installation'

/** Runs one command in this process and gives its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // The log is for people who look for the cause of something; a terminal shows only what is broken.
  process.env.LOG_LEVEL ??= 'error'
  // A reader such as `head` may leave early; what that means is for the command to say.
  process.stdout.on('error', ignore)
  try {
    const program = buildProgram()
    addOwnProcessCommands(program)
    return await inTerminal(ownTerminal(withInstallation), () => runProgram(program, args))
  } finally {
    await new Promise((resolve) => process.stdout.write('', resolve))
    process.stdout.off('error', ignore)
  }
}

function ignore(): void {}
