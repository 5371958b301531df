import { Readable } from 'node:stream'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { main } from '@/lib/doors/cli/main'

/**
 * Works on command lines one after the other, so that tests pay once for loading the program. What a command writes
 * goes back to the test; what is piped into it and its environment come with the question.
 */
export type Question = { args: string[]; input: string; env: NodeJS.ProcessEnv }

async function answer({ args, input, env }: Question) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const written = { stdout: '', stderr: '' }
  const real = { stdout: process.stdout.write, stderr: process.stderr.write }
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (piece: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
  }
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false })
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  try {
    const code = await main(args)
    return { code, ...written }
  } finally {
    if (DBOS.isInitialized()) await DBOS.shutdown()
    process.stdout.write = real.stdout
    process.stderr.write = real.stderr
  }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', (question: Question) => {
  last = last.then(async () => process.send?.(await answer(question)))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
