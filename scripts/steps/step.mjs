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
  const seconds = () => (performance.now() - started) / 1000
  process.stdout.write(`  ${title} … `)
  const ticking = process.stdout.isTTY ? tick(title, seconds) : undefined
  try {
    const result = await work()
    const word = typeof result === 'string' ? result : 'done'
    finish(title, `${word} (${seconds().toFixed(1)} s)`)
    return result
  } catch (error) {
    finish(title, 'failed')
    throw error
  } finally {
    clearInterval(ticking)
  }
}

/** Updates the shown time on a terminal, so that a long step does not look stuck. */
function tick(title, seconds) {
  return setInterval(
    () => process.stdout.write(`\r  ${title} … ${Math.floor(seconds())} s `),
    1_000,
  )
}

function finish(title, words) {
  process.stdout.write(process.stdout.isTTY ? `\r  ${title} … ${words}\n` : `${words}\n`)
}

/**
 * Runs the steps of a script. A failure prints its sentence and sets exit code 1. `explain` returns the sentence of an
 * error that is no StepError, or null when only the stack explains it.
 */
export async function runSteps(work, explain = () => null) {
  try {
    await work()
  } catch (error) {
    const sentence = error instanceof StepError ? error.message : explain(error)
    if (sentence === null) throw error
    if (error.output) console.error(`\n${error.output}\n`)
    console.error(`\n${sentence}`)
    process.exit(1)
  }
}
