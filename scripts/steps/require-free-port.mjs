import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StepError } from './step.mjs'

// A server that was killed a moment ago may need this long to free its port.
const PATIENCE_MS = 3_000

/** Throws one sentence when the server could not listen on HOST and PORT. */
export async function requireFreePort() {
  const port = Number(process.env.PORT || 3000)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StepError(`PORT must be a number from 1 to 65535, and it is "${process.env.PORT}".`)
  }
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const code = await tryToListen(port, process.env.HOST || '127.0.0.1')
    if (code === undefined) return
    if (code !== 'EADDRINUSE') {
      throw new StepError(
        `Toolgate cannot listen on ${process.env.HOST || '127.0.0.1'}:${port} (${code}).`,
      )
    }
    if (Date.now() > deadline) {
      throw new StepError(
        `Port ${port} is in use, perhaps by a Toolgate that runs already: stop that program, or choose another port with PORT=${port + 1}.`,
      )
    }
    await sleep(250)
  }
}

function tryToListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
