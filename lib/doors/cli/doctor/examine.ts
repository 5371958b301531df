import type { CommonOptions } from '@/lib/doors/cli/input/common-options'
import { engines } from '@/package.json'
import { exitCodes } from '../exit-codes'
import { explainError } from '../explain-error'
import { printJson, printLine } from '../print'
import { type Finding, fail, ok } from './finding'

/** Runs every check in order. A check is skipped when one that it depends on failed. */
async function* examine(): AsyncGenerator<Finding> {
  yield checkNode()
  const { logToStandardError } = await import('@/lib/kernel/log')
  logToStandardError()
  try {
    const { openInstallation } = await import('@/lib/installation/prepare-installation')
    const installation = await openInstallation()
    try {
      yield* examineInstallation()
    } finally {
      const { closeDb } = await import('@/lib/kernel/db')
      await closeDb()
      await installation.stop()
    }
  } catch (error) {
    const { sentence } = await explainError(error)
    yield fail('Installation', sentence.replace(/\.$/, ''), 'Fix this and run the doctor again.')
  }
}

async function* examineInstallation(): AsyncGenerator<Finding> {
  const { env } = await import('@/lib/kernel/env')
  const { checkDataFolder } = await import('./check-data-folder')
  const { checkMigrations, checkServer } = await import('./check-database')
  yield* await checkDataFolder(env().TOOLGATE_DATA_DIR)
  yield await checkServer()
  const migrations = await checkMigrations()
  yield migrations
  if (migrations.status !== 'ok') return
  const { askRunningServer } = await import('./ask-running-server')
  const found = await askRunningServer(env().TOOLGATE_DATA_DIR)
  if (Array.isArray(found)) {
    yield ok('Running server', 'it did the checks below, by its own environment')
    yield* found
    return
  }
  if (found === 'silent') {
    yield fail(
      'Running server',
      'it does not answer the doctor, which did the checks below by its own environment',
      'Check the log of the server, or start it again.',
    )
  }
  const { examineContents } = await import('./examine-contents')
  yield* examineContents(env().TOOLGATE_URL)
}

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const satisfies Record<
  Finding['status'],
  string
>

/** Prints each finding as it comes (with --json all at the end) and gives 1 when one is a failure. */
export async function runDoctor({ json }: Pick<CommonOptions, 'json'>): Promise<number> {
  const findings: Finding[] = []
  for await (const finding of examine()) {
    findings.push(finding)
    if (!json) printFinding(finding)
  }
  const failed = findings.some(({ status }) => status === 'fail')
  if (json) printJson({ ok: !failed, findings })
  return failed ? exitCodes.failed : exitCodes.ok
}

function printFinding({ status, check, detail, advice }: Finding): void {
  printLine(`${marks[status]}  ${check}: ${detail}.`)
  if (advice) printLine(`      ${advice}`)
}

/** Checks the version of Node. `version` as in process.version, "v20.19.0". */
export function checkNode(version = process.version): Finding {
  const wanted = engines.node.replace(/^>=/, '')
  if (atLeast(version.slice(1), wanted)) return ok('Node', version)
  return fail('Node', `${version} is too old`, `Install Node ${wanted} or newer.`)
}

function atLeast(version: string, wanted: string): boolean {
  return version.localeCompare(wanted, 'en', { numeric: true }) >= 0
}
