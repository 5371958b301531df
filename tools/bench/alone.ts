import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { build } from 'esbuild'
import { addPerson } from '@/tests/support/people'
import { engineRun } from './engine-run'
import { noteGoal } from './goals'
import { median } from './measure'
import { openEngine } from './open-engine'
import { number, printTable } from './print-table'
import { pagesPrompt } from './prompts'

const runsForPeak = 300
const megabyte = 1024

/** Makes runs of the engine in a process that was started for this alone; false in any other. */
export async function measureAlone([task]: readonly string[]): Promise<boolean> {
  if (task !== 'engine-peak') return false
  const admin = await addPerson('admin')
  await openEngine()
  for (let run = 0; run < runsForPeak; run++) await engineRun({ admin }, pagesPrompt(5))
  console.log(String(process.resourceUsage().maxRSS / megabyte))
  return true
}

/** Prints how much memory a process takes that does nothing else, and how long it takes to import the loop. */
export async function printAlone(modelUrl: string): Promise<void> {
  const engine = figureOf(['--conditions=react-server', process.argv[1] ?? '', 'engine-peak'])
  const loop = median(await withBundle(loopPeak, (file) => [runLoop(file, modelUrl)]))
  const importing = median(await withBundle(theLoop, (file) => Array(7).fill(importOf(file))))
  console.log('\nProcesses of their own\n')
  printTable(
    ['what', 'figure'],
    [
      [`highest RSS of ${runsForPeak} runs of 5 rounds, \`runAgent\`, MB`, number(loop)],
      [`highest RSS of ${runsForPeak} runs of 5 rounds, engine, MB`, number(engine)],
      ['import of the loop and one API type, ms', number(importing)],
    ],
  )
  noteGoal('highest memory of the loop', loop, 130, 'MB')
  noteGoal('highest memory of the engine', engine, 260, 'MB')
  noteGoal('import of the loop', importing, 110, 'ms')
}

const theLoop = `
import { openProvider } from '@/lib/engines/providers/open-provider'
import { runAgent } from '@/lib/engines/runtime/run-agent'
export { openProvider, runAgent }
`

const loopPeak = `
import { openInMemoryRun } from './tools/bench/in-memory-run'
import { pagesPrompt } from './tools/bench/prompts'
export { openInMemoryRun, pagesPrompt }
`

const importOf = (file: string) =>
  `const at = performance.now(); await import('${file}'); console.log(performance.now() - at)`

const runLoop = (file: string, modelUrl: string) => `
const { openInMemoryRun, pagesPrompt } = await import('${file}')
const run = await openInMemoryRun('${modelUrl}', 1000)
for (let count = 0; count < ${runsForPeak}; count++) await run(pagesPrompt(5))
console.log(process.resourceUsage().maxRSS / ${megabyte})
process.exit()
`

/** Bundles modules, and returns the figure that each of the scripts prints, which import the bundle. */
async function withBundle(
  contents: string,
  scripts: (file: string) => readonly string[],
): Promise<number[]> {
  // As deep as the folders of lib, because modules find files by a relative path.
  const outfile = 'tools/bench/compiled-alone.mjs'
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['react-server'],
    logLevel: 'error',
  })
  try {
    return scripts(`./${outfile}`).map((script) =>
      figureOf(['--conditions=react-server', '--input-type=module', '-e', script]),
    )
  } finally {
    rmSync(outfile, { force: true })
  }
}

/** Returns the number that such a Node process prints. */
function figureOf(args: readonly string[]): number {
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`A process that measures itself ended with ${status}.`)
  return Number(stdout.trim().split('\n').at(-1))
}
