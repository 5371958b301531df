/** A failure explained in one sentence; `output` is what the failed program wrote, for those who need more. */
export class StepError extends Error {
  constructor(message, output = '') {
    super(message)
    this.output = output
  }
}

/** Shows `title` while `work` runs, then how long it took; returns its result. A string is shown instead of "done". */
export async function step(title, work) {
  const started = performance.now()
  process.stdout.write(`  ${title} … `)
  try {
    const result = await work()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${typeof result === 'string' ? result : 'done'} (${seconds} s)\n`)
    return result
  } catch (error) {
    process.stdout.write('failed\n')
    throw error
  }
}

/** Runs the steps of a script; a failure becomes its sentence and exit code 1. */
export async function runSteps(work) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    if (error.output) console.error(`\n${error.output}\n`)
    console.error(`\n${error.message}`)
    process.exit(1)
  }
}
