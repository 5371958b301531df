import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Swaps a place for a link to its namesake outside and back, one place after the other, until its input ends. */
const swapper = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [root, outside, ...places] = process.argv.slice(1)
let goesOn = true
process.stdin.on('data', () => { goesOn = false })
function swap(place) {
  renameSync(root + '/' + place, root + '/aside')
  symlinkSync(outside + '/' + place, root + '/' + place)
  unlinkSync(root + '/' + place)
  renameSync(root + '/aside', root + '/' + place)
}
function turn() {
  for (let n = 0; n < 200; n += 1) swap(places[n % places.length])
  if (goesOn) setImmediate(turn)
  else process.exit(0)
}
console.log('ready')
turn()
`

/**
 * Starts a process that swaps these folders and files of `root` for links to their namesakes in `outside` and back, all the time.
 * Returns what ends it, with everything in its place.
 */
export async function startSwapping(
  root: string,
  outside: string,
  places: readonly string[],
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['-e', swapper, root, outside, ...places], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end('stop\n')
    await once(child, 'exit')
  }
}
