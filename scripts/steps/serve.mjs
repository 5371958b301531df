import { fork } from 'node:child_process'
import { whenParentEnds } from './when-parent-ends.mjs'

/** Hands over to scripts/serve.ts ("start" or "dev") and ends when and how it ends. */
export function serve(mode) {
  const child = fork('scripts/serve.ts', [mode], {
    execArgv: ['--conditions=react-server', '--import', 'tsx'],
  })
  // A terminal sends Ctrl+C to both of us, anyone else to us alone: it stops once, however often it is told.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  whenParentEnds(() => child.kill('SIGTERM'))
  child.on('exit', (code) => process.exit(code ?? 1))
}
