import { sandboxProblem } from '@/lib/engines/programs/command-sandbox'
import { execIn } from './exec-in'

/**
 * Runs one command as `execIn` does, in a process that may be another user's: its argument is JSON, its answer is a line. With no
 * argument, it says why there is no sandbox.
 */
const [request] = process.argv.slice(2)
const answer =
  request === undefined
    ? { trouble: await sandboxProblem() }
    : await execIn(JSON.parse(request)).catch((error: Error) => ({ refused: error.message }))
process.stdout.write(JSON.stringify(answer))
