import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const END_GROUPS = path.join(import.meta.dirname, 'end-groups.mjs')

/**
 * Opens what starts programs that end when this process does, with all that they started, even if it is killed. `folder`
 * is removed after that.
 */
export function openProcessGroups(folder) {
  const ending = spawn(process.execPath, [END_GROUPS, folder], {
    stdio: ['pipe', 'inherit', 'inherit'],
    // A terminal sends Ctrl+C to the whole group of this process.
    detached: true,
  })
  const ended = once(ending, 'exit')
  let isClosing = false
  const tell = (line) => {
    if (!isClosing) ending.stdin.write(line)
  }

  /**
   * Starts a program in a group of its own. `onOutput` is called with all that it has written, both streams in one.
   * `exited` resolves with `{ code, output }` when nothing of the group writes any more, and never after `close`: what
   * ended then says nothing about the program.
   */
  const start = (file, args, { cwd, env, onOutput = () => undefined }) => {
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    tell(`+${child.pid}\n`)
    const stop = () => tell(`-${child.pid}\n`)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        onOutput(output)
      })
    }
    child.once('exit', stop)
    const exited = once(child, 'close').then(([code]) =>
      isClosing ? new Promise(() => undefined) : { code, output },
    )
    return { exited, stop }
  }
  /** Ends all groups and removes the folder. */
  const close = async () => {
    isClosing = true
    ending.stdin.end()
    await ended
  }
  return { start, close }
}
