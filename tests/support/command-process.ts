import { execIn } from './exec-in'

/** Runs one command as `execIn` does, in a process that may be another user's: its arguments are JSON, its answer is a line. */
const [asked = ''] = process.argv.slice(2)
const answer = await execIn(JSON.parse(asked)).catch((error: Error) => ({ refused: error.message }))
process.stdout.write(JSON.stringify(answer))
