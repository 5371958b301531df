import 'server-only'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { sealChannelAddress } from '@/lib/domains/channels/seal-address'
import { reloadSkillFolder } from '@/lib/domains/skills/folder-verbs'
import { checkVaultKey } from '@/lib/domains/vault/check-vault-key'
import { systemCtx } from '@/lib/kernel/context'
import { closeDb, db, limitStatements } from '@/lib/kernel/db'
import { env, readEnv } from '@/lib/kernel/env'
import { configureLogSink, flushLog, log, storedLog } from '@/lib/kernel/log'
import { beginShutdown } from '@/lib/kernel/shutdown'
import { localTools } from '@/lib/toolset/tools/installed-tools'
import { clearLeftSetId } from './clear-left-set-id'
import { closeProtectedFolders } from './close-protected-folders'
import { startEngine } from './start-engine'

/** So long a statement for a page or request may take. */
const pageStatementMs = 15_000

/**
 * Prepares a server process for runs: checks the installation, starts the engine, and stops it in order on a signal
 * (SPEC O2, O4).
 */
export async function boot(): Promise<void> {
  readEnv()
  limitStatements(pageStatementMs)
  configureLogSink(db())
  await checkVaultKey(db())
  await sealChannelAddress()
  await loadTools()
  await closeProtectedFolders()
  // A large workspace must not hold the start.
  void clearLeftSetId().catch((error) =>
    log.error({ source: 'tools', error: String(error) }, 'Workspaces were not looked through'),
  )
  await readSkills()
  const engine = await startEngine('server', {}, stopForNewerVersion)
  storedLog.info(
    { source: 'server', instanceId: engine.instanceId },
    'Toolgate is ready to work on runs',
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info(
        { source: 'server', signal },
        'Stopping: active runs are handed over to other servers',
      )
      beginShutdown()
      void engine
        .close()
        .catch((error) =>
          log.error(
            { source: 'server', error: String(error) },
            'Not all runs could be handed over',
          ),
        )
        .then(() => flushRefusals())
        .then(() => flushLog())
        .then(() => closeDb())
        .finally(() => process.exit(0))
    })
  }
}

/** Stops this server as a signal does. Its next start says which migrations it does not know. */
function stopForNewerVersion(): void {
  log.error(
    { source: 'server' },
    'A newer version of Toolgate has migrated the database, so this one stops: two versions cannot share a database',
  )
  process.kill(process.pid, 'SIGTERM')
}

/** Loads the tools. The server also starts when the file of an extra tool cannot be used; the tool then never runs. */
async function loadTools(): Promise<void> {
  for (const { name, notLoaded } of await localTools()) {
    if (notLoaded === undefined) continue
    log.error({ source: 'tools', tool: name, reason: notLoaded }, 'An extra tool is not loaded')
  }
}

/**
 * Reads the folder of skills. The server also starts when it cannot be read; the accepted skills then stay unchanged.
 */
async function readSkills(): Promise<void> {
  if (env().TOOLGATE_SKILLS_DIR === undefined) return
  try {
    const { unchanged, ...report } = await reloadSkillFolder(systemCtx(), {})
    storedLog.info(
      { source: 'skills', ...report, unchanged: unchanged.length },
      'Read the skills folder',
    )
  } catch (error) {
    log.error({ source: 'skills', error: String(error) }, 'Could not read the skills folder')
  }
}
