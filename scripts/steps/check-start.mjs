import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { capture } from './run-program.mjs'
import { StepError } from './step.mjs'

/** node_modules and the build, measured, with some room. */
const NEEDED_BYTES = 2_000_000_000
const SHORTEST_PASSWORD = 12

/**
 * Throws one sentence for what would make a first start fail after minutes: the folders, room on the disk, and the variables of
 * the first admin as far as they can be judged without packages.
 */
export function checkStart(env = process.env) {
  for (const folder of ['.', dataFolder(env)]) {
    const existing = nearestExisting(path.resolve(folder))
    try {
      accessSync(existing, constants.W_OK | constants.X_OK)
    } catch (error) {
      throw new StepError(
        `Toolgate cannot write to ${existing} (${error.code}): change its owner or permissions, or choose another data folder with TOOLGATE_DATA_DIR.`,
      )
    }
  }
  requireRoom()
  if (!isNew(env)) return
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env
  if (!email !== !password) {
    throw new StepError('Set ADMIN_EMAIL and ADMIN_PASSWORD both, or neither.')
  }
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new StepError(`ADMIN_EMAIL is "${email}", which is no e-mail address.`)
  }
  if (password && password.length < SHORTEST_PASSWORD) {
    throw new StepError(`ADMIN_PASSWORD needs at least ${SHORTEST_PASSWORD} characters.`)
  }
}

export function makesFirstAdmin() {
  return Boolean(process.env.ADMIN_PASSWORD) && isNew(process.env)
}

/** Judges the first admin's password by the rules of the console. Needs the packages and the generated code. */
export async function checkFirstAdmin() {
  const program = ['--conditions=react-server', '--import', 'tsx', 'scripts/check-first-admin.ts']
  const { code, output } = await capture(process.execPath, program)
  if (code !== 0) throw new StepError(output.trim())
  return undefined
}

/** Tells people who start Toolgate for the first time how long it takes and what they can read meanwhile. */
export function announceFirstBuild() {
  if (existsSync('.next/standalone/server.js')) return
  console.log(
    '  The first start takes 2 to 4 minutes: it installs packages and builds the console.',
  )
  console.log('  Meanwhile, docs/first-run.md says what to try first.\n')
}

function nearestExisting(folder) {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder))
}

function requireRoom() {
  if (existsSync('.next/standalone/server.js')) return
  const { bavail, bsize } = statfsSync('.')
  const free = bavail * bsize
  if (free >= NEEDED_BYTES) return
  throw new StepError(
    `This disk has ${Math.floor(free / 1_000_000)} MB left, and Toolgate needs 2,000 MB to install and build: free some and start again.`,
  )
}

function dataFolder(env) {
  return env.TOOLGATE_DATA_DIR || '.data'
}

/** Returns whether nothing was started on this data folder yet. */
function isNew(env) {
  const folder = dataFolder(env)
  return !existsSync(folder) || readdirSync(folder).length === 0
}
