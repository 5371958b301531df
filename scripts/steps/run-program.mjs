import { spawn } from 'node:child_process'
import { StepError } from './step.mjs'

const TAIL_LINES = 40

/**
 * Runs `node <args>` to its end without printing its output. Throws a StepError with the message `failure` and the end
 * of the output.
 */
export async function runNode(args, failure, env = {}) {
  const { code, output } = await capture(process.execPath, args, env)
  if (code !== 0) throw new StepError(explain(output) ?? failure, tail(output))
  return output
}

/** Runs npm; if npm started this process, the same one. */
export async function runNpm(args, failure, env = {}) {
  const npm = process.env.npm_execpath
  if (npm) return runNode([npm, ...args], failure, env)
  const { code, output } = await capture('npm', args, env, process.platform === 'win32')
  if (code !== 0) throw new StepError(explain(output) ?? failure, tail(output))
  return output
}

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    // No program of ours is running, so other listeners decide.
    if (running.size === 0) return
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}

/**
 * Runs a program to its end; a signal to this process ends it, too. Returns `{ code, output }`, both streams in one.
 */
export function capture(file, args, env = {}, shell = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, output })
    })
  })
}

function explain(output) {
  if (/ENOSPC|No space left on device/.test(output)) {
    return 'The disk is full: free at least 2 GB and start again.'
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(output) &&
    /registry|npm error/.test(output)
  ) {
    return 'The npm registry cannot be reached: check the network (or npm config get registry) and start again.'
  }
  return undefined
}

function tail(output) {
  return output.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
}
