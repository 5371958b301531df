import { fork } from 'node:child_process'
import { SERVER_FOLDER } from './compile-server.mjs'
import { whenParentEnds } from './when-parent-ends.mjs'

/** Runs scripts/serve.ts as it was compiled ("start" or "dev") and ends with its exit code. */
export function serve(mode) {
  const child = fork(`${SERVER_FOLDER}/serve.js`, [mode])
  // A terminal sends Ctrl+C to both processes, other senders only to this one. The other one ignores a second signal.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  whenParentEnds(() => child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}
