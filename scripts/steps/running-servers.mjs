import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StepError } from './step.mjs'

/** One empty file for each process that serves the build, with its number as the name. */
const FOLDER = '.next/servers'

/** Notes that a process serves the build. It loads a page from there at the first visit. Returns what ends the note. */
export function noteServer(pid) {
  const file = path.join(FOLDER, String(pid))
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(file, '')
  return () => rmSync(file, { force: true })
}

/** Throws a StepError while a process serves the build, which would go on with pages of another one. */
export function requireNoServer() {
  for (const pid of notedServers()) {
    if (!isAlive(pid)) continue
    throw new StepError(
      `Process ${pid} serves the build that this would replace: stop it first. If it is no server of Toolgate, delete ${FOLDER}/${pid}.`,
    )
  }
}

function notedServers() {
  try {
    return readdirSync(FOLDER).map(Number)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
