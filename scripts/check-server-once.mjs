// Checks what `npm run build` made: the server code of lib/ is in its package alone, once, and no file of the repository
// travels with the built server.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SERVER = '.next/server'
const STANDALONE = '.next/standalone'
const PACKAGES = `${STANDALONE}/.next/node_modules`
const MOST_SERVER_BYTES = 70_000_000
const MOST_EQUAL_BYTES = 3_000_000
/** Names that the built server has, too: files that it serves, its packages, and those of the framework. */
const TRAVELS = ['.next', 'node_modules', 'package.json', 'public']
const DECLARES_ERROR = /\bclass AppError\b|\bAppError = class\b/

const files = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((file) => path.join(folder, file))
    .filter((file) => lstatSync(file).isFile())
const scripts = (folder) => files(folder).filter((file) => /\.m?js$/.test(file))
const declaring = (folder) =>
  scripts(folder).filter((file) => DECLARES_ERROR.test(readFileSync(file, 'utf8')))
const megabytes = (bytes) => `${(bytes / 1_000_000).toFixed(1)} MB`

const faults = [...codeFaults(), ...sizeFaults(), ...travelFaults(), ...logFaults()]
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'The server code is built once.' : `${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

function codeFaults() {
  const chunks = declaring(SERVER).map((file) => `${file} contains server code.`)
  const packaged = declaring(PACKAGES)
  return packaged.length === 1
    ? chunks
    : [...chunks, `AppError is declared in ${packaged.length} files of the package, not in one.`]
}

function sizeFaults() {
  const all = files(SERVER)
  const bytes = all.reduce((sum, file) => sum + lstatSync(file).size, 0)
  const seen = new Set()
  let equal = 0
  for (const file of scripts(SERVER)) {
    const [code] = readFileSync(file, 'utf8').split('\n//# sourceMappingURL')
    if (seen.has(code)) equal += code.length
    seen.add(code)
  }
  return [
    bytes > MOST_SERVER_BYTES &&
      `${SERVER} has ${megabytes(bytes)}, more than ${megabytes(MOST_SERVER_BYTES)}.`,
    equal > MOST_EQUAL_BYTES && `${megabytes(equal)} of the chunks are in others, too.`,
  ].filter(Boolean)
}

function travelFaults() {
  return readdirSync('.')
    .filter((name) => !TRAVELS.includes(name))
    .filter((name) => existsSync(path.join(STANDALONE, name)))
    .map((name) => `The built server contains ${name}.`)
}

/** Returns what the build warned of: for a path that it cannot follow, it takes every file of the project. */
function logFaults() {
  const log = readFileSync('.next/build.log', 'utf8')
  return /whole project/i.test(log)
    ? ['The build traced the whole project: see .next/build.log.']
    : []
}
